/* SPDX-License-Identifier: MIT */
/*
 * Instructions by address, from the code of an ELF file (Capstone).
 */
#ifndef TOOLS_SYMBOLS_DISASSEMBLY_H
#define TOOLS_SYMBOLS_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

struct instruction {
    uint64_t start;
    unsigned length; /* bytes, 1 to 15 */
    char text[200];  /* "dec rax", Intel's syntax; ".byte 0x06" for what is no instruction */
};

struct code; /* a stretch of code, with its bytes */

struct disassembly {
    const struct symbols *symbols;
    size_t handle;            /* Capstone's */
    struct cs_insn *decoded;  /* the last one */
    struct code *code;
    size_t codes;
    struct range_map by_address; /* the index of the code */
    struct instruction last;     /* where the next look-up in `within` may go on */
    const struct symbol *within; /* NULL: nowhere */
};

/*
 * Take the code of an open file, which must stay open until
 * disassembly_close().  False, silently and with nothing to close, where it
 * holds no code: a separate debug file that was opened without its program.
 */
bool disassembly_open(struct disassembly *d, const struct symbols *s);
void disassembly_close(struct disassembly *d);

/*
 * The instruction that contains `address`.  It is decoded from the start of its
 * function, so as to stay in step with what the CPU runs.  False where no
 * function is known there, where its code is not in the file, and more than
 * 1 MiB into a function.
 */
bool disassembly_find(struct disassembly *d, uint64_t address, struct instruction *to);

/*
 * The instruction that follows *i, into *i: the next function's or the filling
 * before it where one ends.  False where the code ends.
 */
bool disassembly_next(struct disassembly *d, struct instruction *i);

#endif
