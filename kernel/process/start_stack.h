/* SPDX-License-Identifier: MIT */
/*
 * The stack that a program finds at its start: arguments, environment, auxiliary vector.  System V ABI, AMD64
 * supplement, 3.4.1; getauxval(3).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/process/program_file.h"

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
