/* SPDX-License-Identifier: MIT */
/*
 * The index of functions: read once from .symtab, the file's own or that of its debug file, sorted once, then a
 * binary search for each address.
 */
#include "tools/symbols/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/symbols/demangle.h"

/*
 * Least digits of a number that counts as an address: those of an address in a task's program
 * (0x401000), since error codes and small sizes are shorter.
 */
#define DIGITS_MIN 6
#define DIGITS_MAX 16

/* Which of two names at one address is taken: a function with a size, then any function, then a global symbol. */
enum { RANK_GLOBAL = 1, RANK_FUNCTION = 2, RANK_SIZED = 4 };

static bool is_sized(const struct symbol *s)
{
    return s->rank & RANK_SIZED;
}

/* The end of the code section that holds symbol `s`; 0 if it is not in code of the running program. */
static uint64_t code_end(const struct elf_table *t, const struct elf_symbol *s)
{
    const struct elf_section *section;

    if (s->section == SHN_UNDEF || s->section >= SHN_LORESERVE || s->section >= t->sections)
        return 0;
    section = &t->section[s->section];
    if (!elf_file_is_code(section) || s->value < section->address || s->value - section->address >= section->size)
        return 0;
    return elf_file_end(section->address, section->size, UINT64_MAX);
}

/*
 * A name without type is a label of assembly; with a dot in it, a local one
 * (NASM's `function.loop` and `..@12.begin`, the assembler's `.L4`).  A dot in
 * the name of a function is the compiler's (`function.cold`) and stays.
 * On ARM and RISC-V `$x` marks code and is no name.
 */
static bool is_function(const struct elf_symbol *s)
{
    switch (s->type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        return *s->name;
    case STT_NOTYPE:
        return *s->name && *s->name != '$' && !strchr(s->name, '.');
    default:
        return false;
    }
}

/* Add a symbol; without a size it ends with its section. */
static bool read_symbol(const struct elf_table *t, const struct elf_symbol *s, struct symbol *to)
{
    const uint64_t limit = code_end(t, s);

    if (!s->name || !limit || !is_function(s))
        return false;
    *to = (struct symbol){
        .start = s->value,
        .end = s->size ? elf_file_end(s->value, s->size, limit) : limit,
        .name = s->name,
        .rank = (s->size ? RANK_SIZED : 0) | (s->type != STT_NOTYPE ? RANK_FUNCTION : 0) |
                (s->bind == STB_GLOBAL ? RANK_GLOBAL : 0),
    };
    return true;
}

/* Sorted by address; at one address the best name first, the same in each run. */
static int compare(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Keep one name for each address, and no label within a function. */
static void drop_marks(struct symbols *s)
{
    uint64_t covered = 0; /* functions with a size cover the addresses below this */
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct symbol one = s->symbol[i];

        if (kept && s->symbol[kept - 1].start == one.start)
            continue;
        if (is_sized(&one))
            covered = one.end > covered ? one.end : covered;
        else if (one.start < covered)
            continue;
        s->symbol[kept++] = one;
    }
    s->count = kept;
}

/* A label ends at the next symbol. */
static void end_labels(struct symbols *s)
{
    for (size_t i = 0; i + 1 < s->count; i++) {
        struct symbol *one = &s->symbol[i];

        if (!is_sized(one) && one[1].start < one->end)
            one->end = one[1].start;
    }
}

/* For nested functions the map gives the innermost. */
static void map_addresses(struct symbols *s)
{
    struct range *range = xrealloc_array(NULL, s->count, sizeof(*range));

    for (size_t i = 0; i < s->count; i++)
        range[i] = (struct range){s->symbol[i].start, s->symbol[i].end, i};
    range_map_build(&s->by_address, range, s->count);
    free(range);
}

/* Put the functions of the file into the index.  NULL, or why that is impossible. */
static const char *read_symbols(struct symbols *s, const struct elf_file *f)
{
    if (!elf_file_has_symbols(f))
        return "is stripped: it has no symbol table";
    elf_symbols_free(&s->table);
    if (!elf_symbols_read(&s->table, &f->table))
        return "is damaged: its symbol table cannot be read";
    s->symbol = xrealloc_array(s->symbol, s->table.count, sizeof(*s->symbol));
    for (size_t i = 0; i < s->table.count; i++) {
        const struct elf_symbol one = elf_symbols_at(&s->table, i);

        s->count += read_symbol(&f->table, &one, &s->symbol[s->count]);
    }
    if (!s->count)
        return "has no function in its symbol table";
    qsort(s->symbol, s->count, sizeof(*s->symbol), compare);
    drop_marks(s);
    end_labels(s);
    map_addresses(s);
    return NULL;
}

/* Search for the debug file only if this file lacks symbols or DWARF. */
static const char *read_file(struct symbols *s, const struct debug_places *places)
{
    const char *why;

    if (!elf_file_has_symbols(&s->file) || !elf_file_has_dwarf(&s->file))
        debug_file_open(&s->debug, &s->file, s->path, places);
    why = read_symbols(s, &s->file);
    if (why && s->debug.open && !read_symbols(s, &s->debug))
        return NULL;
    return why;
}

bool symbols_open_quietly(struct symbols *s, const char *path, const struct debug_places *places,
                          const char **why)
{
    *s = (struct symbols){.path = path};
    if (!elf_file_open(&s->file, path, why))
        return false;
    *why = read_file(s, places);
    if (*why) {
        symbols_close(s);
        return false;
    }
    s->build = elf_file_id(&s->file);
    return true;
}

bool symbols_open(struct symbols *s, const char *path)
{
    const char *why;
    bool opened = symbols_open_quietly(s, path, NULL, &why);

    if (!opened)
        elf_file_refuse(path, why);
    return opened;
}

void symbols_close(struct symbols *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->symbol[i].shown != s->symbol[i].name)
            free(s->symbol[i].shown);
    free(s->build);
    free(s->symbol);
    elf_symbols_free(&s->table);
    range_map_free(&s->by_address);
    if (s->debug.open)
        elf_file_close(&s->debug);
    elf_file_close(&s->file);
}

bool symbols_move(struct symbols *s, uint64_t base)
{
    const uint64_t by = base - s->base;
    uint64_t end = 0;

    for (size_t i = 0; i < s->count; i++)
        end = s->symbol[i].end > end ? s->symbol[i].end : end;
    if (base >> 63 || (end - s->base) >> 63 || (end - s->base + base) >> 63)
        return base == s->base;
    if (by == 0)
        return true;
    for (size_t i = 0; i < s->count; i++) {
        s->symbol[i].start += by;
        s->symbol[i].end += by;
    }
    range_map_free(&s->by_address);
    map_addresses(s);
    s->base = base;
    return true;
}

const struct symbol *symbols_find(const struct symbols *s, uint64_t address)
{
    size_t found = range_map_find(&s->by_address, address, NULL);

    return found == RANGE_NONE ? NULL : &s->symbol[found];
}

const char *symbols_display_name(const struct symbol *symbol)
{
    struct symbol *s = (struct symbol *)symbol; /* symbols_open() allocated it, so it may be written */

    if (!s->shown)
        s->shown = demangle(s->name);
    if (!s->shown)
        s->shown = (char *)s->name;
    return s->shown;
}

bool symbols_is_kernel(const struct symbols *s)
{
    return s->symbol[s->count - 1].start >> 63;
}

bool symbol_set_add(struct symbol_set *set, const char *path)
{
    set->file = xrealloc_array(set->file, set->files + 1, sizeof(*set->file));
    if (!symbols_open(&set->file[set->files], path))
        return false;
    set->files++;
    return true;
}

void symbol_set_free(struct symbol_set *set)
{
    for (size_t i = 0; i < set->files; i++)
        symbols_close(&set->file[i]);
    free(set->file);
    *set = (struct symbol_set){0};
}

static FILE *text_begin(char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);

    if (!out)
        out_of_memory();
    return out;
}

static void text_end(FILE *out)
{
    if (fclose(out))
        out_of_memory();
}

/* The names of the address, after `before`; false where it has none. */
static bool put_names(const struct symbol_set *set, uint64_t address, const char *before,
                      FILE *out)
{
    bool known = false;

    for (size_t i = 0; i < set->files; i++) {
        const struct symbol *s = symbols_find(&set->file[i], address);

        if (!s)
            continue;
        fprintf(out, "%s%s+0x%" PRIx64, known ? " or " : before, s->name,
                address - s->start);
        known = true;
    }
    return known;
}

char *symbol_set_name(const struct symbol_set *set, uint64_t address)
{
    char *text;
    size_t size;
    FILE *out = text_begin(&text, &size);
    bool known = put_names(set, address, "", out);

    text_end(out);
    if (known)
        return text;
    free(text);
    return NULL;
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* Bytes of the address that begins at `at`, 0: none does. */
static size_t read_address(const char *at, size_t length, uint64_t *address)
{
    size_t i = 2;

    if (length < 2 || at[0] != '0' || at[1] != 'x')
        return 0;
    for (*address = 0; i < length && digit(at[i]) < 16; i++)
        *address = *address << 4 | digit(at[i]);
    return i >= 2 + DIGITS_MIN && i <= 2 + DIGITS_MAX ? i : 0;
}

char *symbol_set_annotate(const struct symbol_set *set, const char *text, size_t length,
                          size_t *size)
{
    char *annotated;
    FILE *out = text_begin(&annotated, size);

    for (size_t i = 0; i < length;) {
        uint64_t address;
        size_t digits = read_address(text + i, length - i, &address);

        fwrite(text + i, 1, digits ? digits : 1, out);
        i += digits ? digits : 1;
        if (digits && put_names(set, address, " <", out))
            fputc('>', out);
    }
    text_end(out);
    return annotated;
}

void symbol_set_compare(const struct symbol_set *set, const char *build)
{
    for (size_t i = 0; i < set->files; i++) {
        const struct symbols *s = &set->file[i];

        if (!symbols_is_kernel(s))
            continue;
        if (!s->build || !elf_id_is_build(s->build))
            cli_error("warning: %s has no build id: it may not be the image that ran",
                      s->path);
        else if (strcmp(s->build, build))
            cli_error("warning: %s is not the image that ran: its build id, %s, is not the "
                      "one in HELLO",
                      s->path, s->build);
    }
}
