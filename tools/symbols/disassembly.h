/* SPDX-License-Identifier: MIT */
/* Finds instructions by address, from the code of an ELF file (Capstone). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/range_map.h"
#include "tools/symbols/symbols.h"

struct instruction {
    uint64_t start;
    unsigned length; /* bytes, 1 to 15 */
    char text[200];  /* "dec rax", Intel syntax; ".byte 0x06" for an invalid instruction */
};

struct code; /* a range of code, with its bytes */

struct disassembly {
    const struct symbols *symbols;
    size_t handle;            /* Capstone's */
    struct cs_insn *decoded;  /* the last one */
    struct code *code;
    size_t codes;
    struct range_map by_address; /* the index of the code */
    struct instruction last;     /* where the next look-up in `within` may continue */
    const struct symbol *within; /* NULL: nowhere */
};

/*
 * Use the code of an open file, which must stay open until disassembly_close().  False, without a
 * message and with nothing to close, if it holds no code (a separate debug file that was opened
 * without its program) or that of a CPU for which there is no decoder.
 */
bool disassembly_open(struct disassembly *d, const struct symbols *s);
void disassembly_close(struct disassembly *d);

/*
 * The instruction that contains `address`.  It is decoded from the start of its function, so that
 * instruction boundaries are those of the CPU.  False if no function is known there, if its code is
 * not in the file, or if the address is more than 1 MiB into a function.
 */
bool disassembly_find(struct disassembly *d, uint64_t address, struct instruction *to);

/*
 * Replace *i by the instruction after it, which may be padding or belong to the next function.
 * False at the end of the code.
 */
bool disassembly_next(struct disassembly *d, struct instruction *i);
