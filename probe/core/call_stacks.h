/* SPDX-License-Identifier: MIT */
/*
 * Counters by call stack: a task, a mode, and a list of return addresses, the innermost first.  A system
 * call has one address, that of the user instruction that made it, or two, where a service was between.
 * The caller owns the memory; a table has one writer, and nothing is ever taken out of it but by
 * call_stacks_init().
 */
#pragma once

#include <stdint.h>

#include "probe/core/mode.h"

#define CALL_STACK_DEPTH 8   /* addresses of a stack; further ones are cut off by whoever makes it */
#define CALL_STACKS      256 /* stacks of a table */
#define CALL_STACK_HOMES (2 * CALL_STACKS) /* a power of two */
#define CALL_STACK_TRIES 8

struct call_stack_key {
    uint32_t task; /* row id */
    uint16_t mode; /* enum mode: what was entered there */
    uint16_t depth; /* of `pc`, 1 .. CALL_STACK_DEPTH */
    uint64_t pc[CALL_STACK_DEPTH]; /* those past `depth` are 0 */
};

struct call_stack {
    struct call_stack_key key;
    uint64_t count; /* what a tick counts */
    /* of system calls, what is known at their exit; kernel/monitor/callers.h */
    uint64_t calls, ticks, time, unmasked, masked;
};

struct call_stacks {
    uint32_t used;
    uint64_t lost; /* stacks that found no record, each time */
    uint16_t home[CALL_STACK_HOMES]; /* number of the record plus 1; 0: free */
    struct call_stack stack[CALL_STACKS];
};

/* Forget all stacks.  Any context. */
void call_stacks_init(struct call_stacks *t);

/* The record of a stack; NULL where it has none yet.  Any context. */
struct call_stack *call_stacks_seek(struct call_stacks *t, const struct call_stack_key *key);

/*
 * The same, and a new record where it has none; NULL, and counted as lost, where there is no room in the
 * table or in CALL_STACK_TRIES tries.  The table's writer; interrupt context.
 */
struct call_stack *call_stacks_find(struct call_stacks *t, const struct call_stack_key *key);
