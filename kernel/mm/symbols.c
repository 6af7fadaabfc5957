/* SPDX-License-Identifier: MIT */
/*
 * The table is text; each line ends with a zero byte.  `:name` begins a program (`:` alone
 * the image).  `address size name` is a function of it, in hexadecimal, in order of
 * address; size 0: it goes up to the next.  The image's addresses count from IMAGE_BASE, which
 * saves a quarter of the table.  An empty line ends it.
 */
#include "kernel/mm/symbols.h"

#include "kernel/lib/string.h"

#define IMAGE_BASE 0xffffffff80000000ull /* linker.ld, KERNEL_BASE; tools/build/embed-symbols */

extern const char symbol_table[]; /* symbols.asm */

static const char *next_line(const char *line)
{
    return line + string_length(line) + 1;
}

static bool is_function(const char *line)
{
    return *line != '\0' && *line != ':';
}

void symbols_begin(struct symbol_cursor *c, const char *program)
{
    const char *line = symbol_table;

    while (*line != '\0' &&
           !(*line == ':' && string_equal(line + 1, program != 0 ? program : "")))
        line = next_line(line);
    if (*line != '\0')
        line = next_line(line);
    c->begin = c->at = line;
    c->base = program != 0 ? 0 : IMAGE_BASE;
}

static const char *take_hex(const char *at, uint64_t *number)
{
    for (*number = 0; *at != '\0' && *at != ' '; at++)
        *number = *number << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return *at == ' ' ? at + 1 : at;
}

static void read_line(const char *line, uint64_t base, struct histogram_symbol *to)
{
    uint64_t size;

    to->name = take_hex(take_hex(line, &to->start), &size);
    to->start += base;
    to->end = to->start + size;
    if (size != 0)
        return;
    to->end = UINT64_MAX;
    if (is_function(next_line(line))) {
        take_hex(next_line(line), &to->end);
        to->end += base;
    }
}

bool symbols_next(void *cursor, uint64_t from, struct histogram_symbol *to)
{
    struct symbol_cursor *c = cursor;

    if (is_function(c->at)) {
        read_line(c->at, c->base, to);
        if (to->start > from) /* the caller asks for an earlier address */
            c->at = c->begin;
    }
    for (; is_function(c->at); c->at = next_line(c->at)) {
        read_line(c->at, c->base, to);
        if (to->end > from)
            return true;
    }
    c->at = c->begin;
    return false;
}
