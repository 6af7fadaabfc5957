/* SPDX-License-Identifier: MIT */
/*
 * Breaks a profile down by function, by line or by instruction: its addresses grouped into named rows, for every
 * report that names code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/symbols/symbols.h"

enum breakdown_by { BREAKDOWN_FUNCTION, BREAKDOWN_LINE, BREAKDOWN_INSTRUCTION };

struct breakdown_row {
    /*
     * By function: `name`, or of one that was compiled into another `inner (in
     * outer)`; a slot of a region that holds parts of several: `a or b`.  By line:
     * `file.c:12`, or `name (no line)`.  By instruction: `name+0x12`.  Where no
     * function is known: `0x401000 (no symbol)`, by function and line one row for a
     * page of 4096 bytes.  In a profile of several tasks the name of the task is before what
     * is in its program: `HOG: spin`.  All of it can be printed.
     */
    char *name;
    char task[NAME_SIZE]; /* the name before it; empty: none */
    bool known;          /* there is a function here */
    uint64_t start, end; /* first address of the function, instruction or page; of a line
                            or an inlined function the first and last that were hit; [start, end) */
    struct tally tally;
    const struct symbol *symbol; /* the (outer) function; NULL: none, or several */
    char *text;                  /* by instruction: disassembled; NULL: not available */
};

struct breakdown { /* most hits first; by instruction in order of task and address */
    size_t rows;
    struct breakdown_row *row; /* names are unique within a file, except for instructions */
    int32_t *group;            /* the row of each atom of the profile: for profile_group() */
};

/*
 * Fill the breakdown; of a profile of several tasks the files are each task's for a while,
 * at the end those of before.
 *  Functions of one file with the same displayed name form one row.  False,
 * with a message on standard error and nothing to free, if the slots of a region are too wide for
 * this breakdown.
 */
bool breakdown_make(struct breakdown *b, const struct profile *p,
                    const struct code_files *symbols, enum breakdown_by by);
void breakdown_free(struct breakdown *b);
