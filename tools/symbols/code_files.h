/* SPDX-License-Identifier: MIT */
/* Symbols, lines and code of the two ELF files whose code runs: the program of a task, and the image. */
#pragma once

#include <stdint.h>

#include "tools/records/process_records.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/line_table.h"
#include "tools/symbols/symbols.h"

/* Symbols, lines and code of one ELF file.  All may be NULL: then its addresses have no names. */
struct code_file {
    const struct symbols *symbols;
    struct line_table *lines;        /* for lines and inlined functions */
    struct disassembly *disassembly; /* for instructions */
};

/* The upper half of the address space belongs to the image, the lower half to the program. */
struct code_files {
    struct code_file program, image;
    const struct process_record *process; /* of the program; NULL: it is no file's, so that its code never changes */
};

/* The file that holds `address`; without names where a program had other code there for a part of the run. */
const struct code_file *code_file_at(const struct code_files *files, uint64_t address);
