/* SPDX-License-Identifier: MIT */
/*
 * Source lines and inlined functions by address, from the DWARF of an ELF file
 * or of its separate debug file.  DWARF 2 to 5; what -gsplit-dwarf leaves in
 * .dwo files is not looked for.
 */
#ifndef TOOLS_SYMBOLS_LINE_TABLE_H
#define TOOLS_SYMBOLS_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

struct line_table;

/*
 * Index an open file, which must stay open until line_table_close() and may have
 * one index at a time.  NULL where it has no DWARF that says anything, with a
 * sentence on standard error where it has some that is refused; what is damaged
 * is left out.
 */
struct line_table *line_table_open(const struct symbols *s);
void line_table_close(struct line_table *index); /* NULL may be closed too */

/*
 * The line whose code is at `address`: from 1, or 0 for code that the compiler
 * made up, which has a file only.  False, with both untouched, where none is
 * known.  *file is what the compiler was told, after its folder, and without
 * "./"; it lives as long as the index.
 */
bool line_table_find(const struct line_table *index, uint64_t address, const char **file,
                     unsigned *line);

/*
 * The functions inlined at `address`, the innermost first, as symbols_display_name()
 * shows names; the function that they were inlined into is not among them.  At
 * most `most` names are written; the result is how many.  They live as long as
 * the index.
 */
size_t line_table_inlined(const struct line_table *index, uint64_t address, const char *names[],
                          size_t most);

#endif
