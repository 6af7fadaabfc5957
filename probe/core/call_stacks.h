/* SPDX-License-Identifier: MIT */
/*
 * Call stacks: counters by them, and the walk that finds one.  A stack is a task, a mode, and a list of return
 * addresses, the innermost first.  A system call has one address, that of the user instruction that made it, or two,
 * where a service was between.
 * In user mode, where nothing was called, the first address is that of the interrupted instruction.
 * The caller owns the memory (CALL_STACKS()); a table has one writer, and nothing is ever taken out of it but by
 * call_stacks_init().
 */
#pragma once

#include <stdbool.h>
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

/*
 * The callers of an interrupted function, by the chain of frame pointers that System V's ABI for x86-64 describes
 * (section 3.2.2): a frame begins with the frame pointer of the caller, and the return address is the word above it.
 * All that is read belongs to a program that may have put anything there: each frame must lie above the one before,
 * so that no chain is a circle, and the number of frames is bounded.
 */

/* Why a walk ended. */
enum walk_end {
    WALK_WHOLE,  /* at the outermost frame: its frame pointer or its return address is 0 */
    WALK_CUT,    /* as many callers as were asked for, and there are more */
    /* a frame pointer that is odd, not above the one before, or in no memory of a task; likewise a return address */
    WALK_BROKEN,
    WALK_ABSENT, /* a frame whose page is not there */
    WALK_ENDS
};

struct frame_walk {
    uint64_t fp;   /* frame pointer */
    uint64_t low;  /* stack pointer: no frame is below it */
    uint64_t high; /* all memory of the task is below */
    /* of an address that is a multiple of 8; false: absent */
    bool (*read)(void *context, uint64_t address, uint64_t *word);
    void *context;
};

/*
 * Put the return addresses into pc[0 .. most - 1], the innermost first; `found` is their number.  Reads at most
 * 2 * (most + 1) words.  Any context in which `read` may be called.
 */
enum walk_end frame_walk(const struct frame_walk *w, uint64_t *pc, unsigned most, unsigned *found);
