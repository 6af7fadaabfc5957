/* SPDX-License-Identifier: MIT */
/*
 * Groups the atoms of a profile into rows: each atom gets a key with a name, and atoms with the
 * same key form a row.
 */
#include "tools/analysis/breakdown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/symbols/line_table.h"

#define PAGE       4096u
#define NAMES_MOST 3 /* functions named for one slot */

/* What an atom belongs to. */
struct key {
    size_t atom;
    bool upper; /* the address is in the image */
    uint32_t code; /* of the atom */
    struct breakdown_row row; /* its tally is filled in later */
};

/* The name of a row, of printable characters only: names come from files. */
#define NAME(...) printable(xasprintf(__VA_ARGS__))

/* ---- by function ---- */

static void take_page(struct breakdown_row *row, uint64_t address)
{
    row->start = address & ~(uint64_t)(PAGE - 1);
    row->end = row->start + PAGE;
    row->name = NAME("0x%" PRIx64 " (no symbol)", row->start);
}

static void take_function(struct breakdown_row *row, const struct profile_atom *a,
                          const struct code_file *file)
{
    const struct symbol *symbol = code_file_symbol(file, a->address);
    const char *inlined;

    if (!symbol) {
        take_page(row, a->address);
        return;
    }
    row->known = true;
    row->symbol = symbol;
    if (file->lines && line_table_inlined(file->lines, a->address, &inlined, 1)) {
        row->start = a->address;
        row->end = a->end;
        row->name = NAME("%s (in %s)", inlined, symbols_display_name(symbol));
    } else {
        row->start = symbol->start;
        row->end = symbol->end;
        row->name = NAME("%s", symbols_display_name(symbol));
    }
}

/* The functions that overlap [address, end), in order; the result is how many. */
static size_t overlapping(const struct symbols *s, uint64_t address, uint64_t end,
                          const struct symbol *found[], size_t most)
{
    size_t count = 0;

    for (uint64_t next; address < end; address = next) {
        size_t index = range_map_find(&s->by_address, address, &next);

        if (index != RANGE_NONE && count++ < most)
            found[count - 1] = &s->symbol[index];
        if (next <= address)
            break;
    }
    return count;
}

/* The hits of a slot may belong to any of the functions that it overlaps. */
static void take_slot(struct breakdown_row *row, const struct profile_atom *a,
                      const struct code_file *file)
{
    const struct symbol *f[NAMES_MOST];
    size_t n = file->symbols ? overlapping(file->symbols, a->address, a->end, f, NAMES_MOST) : 0;
    char more[40] = "";

    if (n == 0) {
        take_page(row, a->address);
        return;
    }
    row->known = true;
    row->symbol = n == 1 ? f[0] : NULL;
    row->start = f[0]->start;
    row->end = n == 1 ? f[0]->end : a->end;
    if (n > NAMES_MOST)
        snprintf(more, sizeof(more), " or %zu more", n - NAMES_MOST);
    row->name = NAME("%s%s%s%s%s%s", symbols_display_name(f[0]), n > 1 ? " or " : "",
                        n > 1 ? symbols_display_name(f[1]) : "", n > 2 ? " or " : "",
                        n > 2 ? symbols_display_name(f[2]) : "", more);
}

/* ---- by line and by instruction ---- */

/* The atom itself, in what is there. */
static const struct symbol *take_atom(struct breakdown_row *row, const struct profile_atom *a,
                                      const struct code_file *file)
{
    const struct symbol *symbol = code_file_symbol(file, a->address);

    row->symbol = symbol;
    row->known = symbol;
    row->start = a->address;
    row->end = a->end;
    return symbol;
}

static void take_line(struct breakdown_row *row, const struct profile_atom *a,
                      const struct code_file *file)
{
    const struct symbol *symbol = take_atom(row, a, file);
    const char *path;
    unsigned line;

    if (file->lines && line_table_find(file->lines, a->address, &path, &line)) {
        path += strncmp(path, "./", 2) ? 0 : 2; /* from -ffile-prefix-map */
        row->name = line ? NAME("%s:%u", path, line) : NAME("%s (no line)", path);
    } else if (symbol) {
        row->name = NAME("%s (no line)", symbols_display_name(symbol));
    } else {
        take_page(row, a->address);
    }
}

static void take_instruction(struct breakdown_row *row, const struct profile_atom *a,
                             const struct code_file *file)
{
    const struct symbol *symbol = take_atom(row, a, file);
    struct instruction i;

    if (file->disassembly && disassembly_find(file->disassembly, a->address, &i)) {
        row->start = i.start;
        row->end = i.start + i.length;
        row->text = NAME("%s", i.text);
    }
    row->name = symbol ? NAME("%s+0x%" PRIx64, symbols_display_name(symbol), row->start - symbol->start)
                       : NAME("0x%" PRIx64 " (no symbol)", row->start);
}

/* ---- keys into rows ---- */

static int by_name(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    int names = strcmp(a->row.name, b->row.name);

    if (a->upper != b->upper)
        return a->upper - b->upper;
    return names ? names : (a->atom > b->atom) - (a->atom < b->atom);
}

static int by_start(const void *left, const void *right)
{
    const struct key *a = left, *b = right;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    if (a->row.start != b->row.start)
        return a->row.start < b->row.start ? -1 : 1;
    return (a->atom > b->atom) - (a->atom < b->atom);
}

static bool same_row(const struct key *a, const struct key *b, enum breakdown_by by)
{
    if (by == BREAKDOWN_INSTRUCTION)
        return a->code == b->code && a->row.start == b->row.start;
    return a->upper == b->upper && !strcmp(a->row.name, b->row.name);
}

static void free_texts(struct breakdown_row *row)
{
    free(row->name);
    free(row->text);
}

static void widen(struct breakdown_row *row, const struct breakdown_row *by)
{
    if (by->start < row->start)
        row->start = by->start;
    if (by->end > row->end)
        row->end = by->end;
}

/* Makes rows from the sorted keys; a row takes over the texts of its first key. */
static void merge(struct breakdown *b, struct key *key, size_t keys, enum breakdown_by by)
{
    for (size_t i = 0; i < keys; i++) {
        if (i && same_row(&key[i - 1], &key[i], by)) {
            widen(&b->row[b->rows - 1], &key[i].row);
            free_texts(&key[i].row);
            key[i].row.name = b->row[b->rows - 1].name; /* for the next comparison */
        } else {
            b->row[b->rows++] = key[i].row;
        }
        b->group[key[i].atom] = (int32_t)(b->rows - 1);
    }
}

struct place { /* the place of a row in the order */
    size_t from;
    struct breakdown_row row;
};

static int by_hits(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->row.tally.hits != b->row.tally.hits)
        return a->row.tally.hits > b->row.tally.hits ? -1 : 1;
    return (a->row.start > b->row.start) - (a->row.start < b->row.start);
}

static void sort_by_hits(struct breakdown *b, size_t atoms)
{
    struct place *place = xrealloc_array(NULL, b->rows + 1, sizeof(*place));
    int32_t *moved = xrealloc_array(NULL, b->rows + 1, sizeof(*moved));

    for (size_t r = 0; r < b->rows; r++)
        place[r] = (struct place){r, b->row[r]};
    qsort(place, b->rows, sizeof(*place), by_hits);
    for (size_t r = 0; r < b->rows; r++) {
        b->row[r] = place[r].row;
        moved[place[r].from] = (int32_t)r;
    }
    for (size_t i = 0; i < atoms; i++)
        b->group[i] = moved[b->group[i]];
    free(moved);
    free(place);
}

static void count(struct breakdown *b, const struct profile *p)
{
    struct tally *tally = xrealloc_array(NULL, b->rows + 1, sizeof(*tally));

    profile_group(p, b->group, b->rows, tally);
    for (size_t r = 0; r < b->rows; r++)
        b->row[r].tally = tally[r];
    free(tally);
}

static bool too_wide(const struct profile *p, enum breakdown_by by)
{
    if (by == BREAKDOWN_FUNCTION || p->slot <= 1)
        return false;
    cli_error("%s can be separated by raw samples (monitor=samples) or by slots of 1 byte; these slots have "
              "%" PRIu64, by == BREAKDOWN_LINE ? "lines" : "instructions", p->slot);
    return true;
}

static void name_atom(struct key *k, const struct profile *p, const struct code_files *files, enum breakdown_by by)
{
    static void (*const take[])(struct breakdown_row *, const struct profile_atom *,
                                const struct code_file *) = {
        take_function, take_line, take_instruction,
    };
    const struct profile_atom *a = &p->atom[k->atom];

    (p->slot > 1 ? take_slot : take[by])(&k->row, a, code_file_at(files, a->address));
}

static void put_task_before(struct breakdown_row *row, const char *task)
{
    char *const plain = row->name;

    memcpy(row->task, task, NAME_SIZE);
    row->name = NAME("%s: %s", task, plain);
    free(plain);
}

static int by_code(const void *left, const void *right)
{
    const struct key *a = left, *b = right;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->atom > b->atom) - (a->atom < b->atom);
}

/* Task by task, so that the files of each are opened once. */
static void name_several(struct key *key, const struct profile *p, const struct code_files *files,
                         enum breakdown_by by)
{
    const uint32_t before = files->task;

    qsort(key, p->atoms, sizeof(*key), by_code);
    for (size_t i = 0; i < p->atoms; i++) {
        const uint32_t code = key[i].code;

        if (code != ROW_ANY && (!i || code != key[i - 1].code))
            code_files_choose(files, code);
        name_atom(&key[i], p, files, by);
        if (code != ROW_ANY && files->name[0])
            put_task_before(&key[i].row, files->name);
    }
    code_files_choose(files, before);
}

bool breakdown_make(struct breakdown *b, const struct profile *p,
                    const struct code_files *symbols, enum breakdown_by by)
{
    struct key *key;

    if (too_wide(p, by))
        return false;
    key = xrealloc_array(NULL, p->atoms + 1, sizeof(*key));
    for (size_t i = 0; i < p->atoms; i++)
        key[i] = (struct key){.atom = i, .upper = p->atom[i].address & UPPER_HALF, .code = p->atom[i].code};
    for (size_t i = 0; i < p->atoms && !p->several; i++)
        name_atom(&key[i], p, symbols, by);
    if (p->several)
        name_several(key, p, symbols, by);
    qsort(key, p->atoms, sizeof(*key), by == BREAKDOWN_INSTRUCTION ? by_start : by_name);
    *b = (struct breakdown){
        .row = xrealloc_array(NULL, p->atoms + 1, sizeof(*b->row)),
        .group = xrealloc_array(NULL, p->atoms + 1, sizeof(*b->group)),
    };
    merge(b, key, p->atoms, by);
    free(key);
    count(b, p);
    if (by != BREAKDOWN_INSTRUCTION)
        sort_by_hits(b, p->atoms);
    return true;
}

void breakdown_free(struct breakdown *b)
{
    for (size_t r = 0; r < b->rows; r++)
        free_texts(&b->row[r]);
    free(b->row);
    free(b->group);
    *b = (struct breakdown){0};
}
