/* SPDX-License-Identifier: MIT */
/*
 * The names of functions that the image carries, its own and those of its programs.  The
 * build puts them in (tools/build/embed-symbols).  They serve text on the serial line;
 * the host finds more in the ELF files.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/histogram.h"

/* The position of one reader in the table.  Task context. */
struct symbol_cursor {
    const char *begin, *at;
    uint64_t base; /* from which its addresses count */
};

/* Begin with the functions of a program; NULL: those of the image. */
void symbols_begin(struct symbol_cursor *c, const char *program);

/* As struct histogram_options wants it; `cursor` is a struct symbol_cursor. */
bool symbols_next(void *cursor, uint64_t from, struct histogram_symbol *to);
