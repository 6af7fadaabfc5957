/* SPDX-License-Identifier: MIT */
/*
 * Counters by call stack: a task, a mode, and a list of return addresses, the innermost first.  A system
 * call has one address, that of the user instruction that made it, or two, where a service was between.
 * In user mode, where nothing was called, the first address is that of the interrupted instruction.
 * The caller owns the memory (CALL_STACKS()); a table has one writer, and nothing is ever taken out of it but by
 * call_stacks_init().
 */
#pragma once

#include <stdint.h>

#include "probe/core/mode.h"

#define CALL_STACK_DEPTH 16  /* addresses of a stack; further ones are cut off by whoever makes it */
#define CALL_STACKS_MOST 1024 /* stacks of the largest table */
#define CALL_STACK_TRIES 8

struct call_stack_key {
    uint32_t task; /* row id */
    uint16_t mode; /* enum mode: what was entered there; MODE_USER: nothing was */
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
    uint32_t used, most;
    uint64_t lost;    /* stacks that found no record, each time */
    uint16_t *home;   /* CALL_STACK_HOMES(most): number of the record plus 1; 0: free */
    struct call_stack *stack; /* `most` */
};

/* The homes of a table, a power of two as `n`, the most of its stacks, is; and such a table, for a definition. */
#define CALL_STACK_HOMES(n) (2 * (n))
#define CALL_STACKS(n) \
    { .most = (n), .home = (uint16_t[CALL_STACK_HOMES(n)]){ 0 }, .stack = (struct call_stack[n]){ { .count = 0 } } }

/* Forget all stacks.  Any context. */
void call_stacks_init(struct call_stacks *t);

/* The record of a stack; NULL where it has none yet.  Any context. */
struct call_stack *call_stacks_seek(struct call_stacks *t, const struct call_stack_key *key);

/*
 * The same, and a new record where it has none; NULL, and counted as lost, where there is no room in the
 * table or in CALL_STACK_TRIES tries.  The table's writer; interrupt context.
 */
struct call_stack *call_stacks_find(struct call_stacks *t, const struct call_stack_key *key);
