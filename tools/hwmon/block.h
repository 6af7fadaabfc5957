/* SPDX-License-Identifier: MIT */
/*
 * Keeps the blocks of instructions that QEMU translated, each once, however often it was translated, and reports
 * them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/hwmon/names.h"

#define INSN_BYTES 15 /* at most, of x86 */

struct insn {
    uint64_t address;
    uint64_t data;    /* virtual address of its last access to memory */
    uint64_t data_at; /* instructions executed by then; 0: none yet */
    uint16_t mnemonic; /* its number in the mix of instructions */
    uint8_t size;
    uint8_t code[INSN_BYTES];
};

struct block {
    struct block *next; /* of the same hash */
    uint64_t times;     /* begun; a fault may have ended it early */
    uint32_t flags;     /* the machine's */
    uint8_t ring;       /* 0 to 3 */
    uint16_t vector;    /* whose entry stub it begins, plus 1; 0: of none */
    uint8_t range;      /* that its first instruction is in, from 1; 0: none */
    uint32_t count;     /* of instructions */
    struct insn insn[];
};

#define BLOCK_HASHES 65536u

struct block_table {
    struct block *of[BLOCK_HASHES];
    size_t count;
};

/* A block with room for so many instructions, none yet: to be filled and given to block_intern(). */
struct block *block_new(size_t insns, int ring);
void block_add(struct block *b, uint64_t address, const void *code, size_t size);

/* The table's block with this address, ring and code: `b` itself, or an older one, and `b` is freed. */
struct block *block_intern(struct block_table *t, struct block *b);

/* Call for each block, sorted by address; `data` is the caller's. */
void block_each(const struct block_table *t, void call(const struct block *b, void *data), void *data);

/* Execution counts of blocks and routines, and the routines that never ran. */

/*
 * Write, a line each:
 *
 *   block ADDRESS RING INSTRUCTIONS TIMES NAME    a block that was translated
 *   routine NAME ENTRIES INSTRUCTIONS             executed, by its name
 *   never NAME LOW HIGH                           no instruction of it was executed
 */
void block_report(FILE *file, const struct block_table *t, const struct names *n);
