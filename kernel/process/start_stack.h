/* SPDX-License-Identifier: MIT */
/*
 * The stack that a program finds at its start: arguments, environment, auxiliary vector.  System V ABI, AMD64
 * supplement, 3.4.1; getauxval(3).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/process/process.h"
#include "probe/text/refusal.h"

/*
 * ELF files of programs that were not made for this kernel, static ones and static-pie ones, into the address space
 * of a process.  Nothing in a file is believed before it has been checked.  System V gABI, chapters 4 and 5.
 */

#define PROGRAM_PIE_BASE 0x0000555555554000ull /* where the lowest segment of a program goes that can be anywhere */

/* Where things are in memory, for the start of the program. */
struct program_start {
    uint64_t entry, base;
    uint64_t segments; /* address of its table of segments; 0: no segment holds it */
    uint32_t segment_count;
};

/*
 * Map the program; what it has beyond its file gets memory at its first touch.  Sets the process' base and heap.
 * False and *why: it is no such program, or nothing that this kernel loads.  Task context.
 */
bool program_load(struct process *p, const void *file, uint64_t bytes, struct program_start *start,
                  struct refusal *why);

#define START_STACK_BYTES  (1ull << 20) /* of the stack; its pages get memory at their first touch */
#define START_RANDOM_BYTES 16u          /* AT_RANDOM */

struct start_words {
    const char *name;      /* argument 0 */
    const char *arguments; /* the others: blanks separate, single quotes keep together */
    uint8_t random[START_RANDOM_BYTES];
};

/*
 * Map the stack and write its top.  *rsp: what the program starts with, a multiple of 16.  False and *why: too many
 * arguments, or no memory.  Task context.
 */
bool start_stack_make(struct process *p, const struct program_start *start, const struct start_words *words,
                      uint64_t *rsp, struct refusal *why);
