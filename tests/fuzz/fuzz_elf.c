/* SPDX-License-Identifier: MIT */
/*
 * Symbols, lines, inlined functions, instructions and breakdowns of an ELF file
 * from anywhere.  The input is the file; or a length (four bytes, low first), as
 * many bytes of a program, and the rest is its separate debug file.
 */
#include "tests/fuzz/fuzz.h"

#include <elf.h>
#include <sys/mman.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/elf_file.h"
#include "tools/symbols/line_table.h"
#include "tools/symbols/symbols.h"

#define SYMBOLS_MOST 24 /* functions that are asked for */
#define STEPS_MOST   64
#define DEEPEST      16

struct place {
    int file;
    char path[32];
};

static struct place place_of(const uint8_t *bytes, size_t size)
{
    struct place p = {.file = memfd_create("elf", MFD_CLOEXEC)};

    snprintf(p.path, sizeof(p.path), "/proc/self/fd/%d", p.file);
    FUZZ_CHECK(write(p.file, bytes, size) == (ssize_t)size);
    return p;
}

/* ---- one address ---- */

static void ask_lines(const struct line_table *lines, uint64_t address)
{
    const char *file, *names[DEEPEST];
    unsigned line;
    size_t count;

    if (line_table_find(lines, address, &file, &line))
        FUZZ_CHECK(file && strlen(file) < SIZE_MAX);
    count = line_table_inlined(lines, address, names, DEEPEST);
    FUZZ_CHECK(count <= DEEPEST);
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(strlen(names[i]) < SIZE_MAX);
}

/* Instructions take bytes, and none behind the function of the address that was asked for. */
static void check_instruction(const struct disassembly *code, uint64_t address,
                              const struct instruction *i)
{
    const struct symbol *within = symbols_find(code->symbols, address);

    FUZZ_CHECK(i->length && strlen(i->text) < sizeof(i->text));
    FUZZ_CHECK(!within || i->length <= within->end - i->start);
}

static void ask_code(struct disassembly *code, uint64_t address)
{
    struct instruction i;
    uint64_t end;

    if (!disassembly_find(code, address, &i))
        return;
    FUZZ_CHECK(address - i.start < i.length);
    check_instruction(code, address, &i);
    for (unsigned step = 0; step < STEPS_MOST; step++) {
        end = i.start + i.length;
        if (!disassembly_next(code, &i))
            return;
        FUZZ_CHECK(i.start == end);
        check_instruction(code, i.start, &i);
    }
}

static void ask(const struct code_file *file, uint64_t address)
{
    const struct symbol *symbol = symbols_find(file->symbols, address);

    if (symbol) {
        FUZZ_CHECK(symbol->start <= address && address < symbol->end);
        FUZZ_CHECK(strlen(symbols_display_name(symbol)) < SIZE_MAX);
    }
    if (file->lines)
        ask_lines(file->lines, address);
    if (file->disassembly)
        ask_code(file->disassembly, address);
}

/* ---- a profile of them ---- */

struct addresses {
    struct profile_atom atom[4 * SYMBOLS_MOST];
    size_t count;
};

static void add(struct addresses *a, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes < address ? UINT64_MAX : address + bytes;

    if (address < end && (!a->count || a->atom[a->count - 1].end <= address))
        a->atom[a->count++] = (struct profile_atom){address, end, 3 + a->count, 2, 0, 0};
}

/* By address: begin, middle and end of the first functions and of the last. */
static void add_symbols(struct addresses *a, const struct symbols *s, uint64_t bytes)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct symbol *one = &s->symbol[i];

        if (i >= SYMBOLS_MOST / 2 && i + SYMBOLS_MOST / 2 < s->count)
            continue;
        add(a, one->start, bytes);
        add(a, one->start + (one->end - one->start) / 2, bytes);
        add(a, one->end - 1, bytes);
        add(a, one->end, bytes);
    }
}

static void break_down(const struct code_file *file, uint64_t bytes)
{
    static struct addresses a;
    const struct code_files symbols = {.program = *file, .image = *file};
    struct profile p = {.samples = 1000, .slot = bytes > 1 ? bytes : 0};
    struct breakdown b;

    a.count = 0;
    add_symbols(&a, file->symbols, bytes);
    p.atom = a.atom;
    p.atoms = a.count;
    for (unsigned by = BREAKDOWN_FUNCTION; by <= BREAKDOWN_INSTRUCTION; by++)
        if (breakdown_make(&b, &p, &symbols, (enum breakdown_by)by))
            breakdown_free(&b);
    for (size_t i = 0; i < a.count; i++)
        ask(file, a.atom[i].address);
}

/* ---- one file ---- */

static void check_order(const struct symbols *s)
{
    FUZZ_CHECK(s->count);
    for (size_t i = 1; i < s->count; i++)
        FUZZ_CHECK(s->symbol[i - 1].start < s->symbol[i].start);
}

static void annotate(const struct symbols *s)
{
    struct symbol_set set = {(struct symbols *)s, 1};
    char text[64], *annotated;
    size_t size;

    snprintf(text, sizeof(text), "rip 0x%lx, stack 0x%lx", (unsigned long)s->symbol[0].start,
             (unsigned long)s->symbol[s->count - 1].start);
    annotated = symbol_set_annotate(&set, text, strlen(text), &size);
    FUZZ_CHECK(size >= strlen(text));
    free(annotated);
    symbol_set_compare(&set, "0123abcd");
}

static void read_program(const char *path, const char *debug)
{
    const struct debug_places places = {.file = debug};
    struct symbols s;
    struct disassembly code;
    struct code_file file = {.symbols = &s};
    const char *why;

    if (!symbols_open_quietly(&s, path, &places, &why))
        return;
    check_order(&s);
    file.lines = line_table_open(&s);
    if (disassembly_open(&code, &s))
        file.disassembly = &code;
    break_down(&file, 1);
    break_down(&file, 64);
    ask(&file, 0);
    ask(&file, UINT64_MAX);
    annotate(&s);
    if (file.disassembly)
        disassembly_close(&code);
    line_table_close(file.lines);
    symbols_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct place program, debug;
    uint32_t length;

    if (size < sizeof(length))
        return 0;
    memcpy(&length, data, sizeof(length));
    if (memcmp(data, ELFMAG, SELFMAG) && length <= size - sizeof(length)) {
        program = place_of(data + sizeof(length), length);
        debug = place_of(data + sizeof(length) + length, size - sizeof(length) - length);
        read_program(program.path, debug.path);
        close(debug.file);
    } else {
        program = place_of(data, size);
        read_program(program.path, NULL);
    }
    close(program.file);
    return 0;
}
