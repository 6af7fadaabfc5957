/* SPDX-License-Identifier: MIT */
/* Symbols, lines and code of the two ELF files whose code runs: the program of a task, and the image. */
#pragma once

#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "tools/records/process_records.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/line_table.h"
#include "tools/symbols/symbols.h"

#define UPPER_HALF ((uint64_t)1 << 63) /* of addresses: the image's; the lower half is the program's */

/* Symbols, lines and code of one ELF file.  All may be NULL: then its addresses have no names. */
struct code_file {
    const struct symbols *symbols;
    struct line_table *lines;        /* for lines and inlined functions */
    struct disassembly *disassembly; /* for instructions */
};

struct code_files {
    struct code_file program, image;
    const struct process_record *process; /* of the program; NULL: it is no file's, so that its code never changes */
    uint32_t task;        /* row id of the task that they are of */
    char name[NAME_SIZE]; /* its name; empty: not known */
    void (*choose)(void *chooser, uint32_t task); /* makes all of these that task's; NULL: there are no others */
    void *chooser;
};

/* Make them those of another task, where there is a choice. */
static inline void code_files_choose(const struct code_files *files, uint32_t task)
{
    if (files->choose)
        files->choose(files->chooser, task);
}

/* The file that holds `address`; without names where a program had other code there for a part of the run. */
const struct code_file *code_file_at(const struct code_files *files, uint64_t address);
