/* SPDX-License-Identifier: MIT */
/*
 * The call stack of a program that was interrupted: its frame pointers (probe/core/frame_walk.h), read through its
 * page tables, so that nothing faults.  A function that has not made its frame yet, or has left it,
 * is seen by its code.
 */
#pragma once

#include "kernel/cpu/frame.h"
#include "probe/core/call_stacks.h"
#include "probe/core/frame_walk.h"

/* that are looked up for frames, at most: sixteen frames of a program as compilers make them have few */
#define USER_WALK_PAGES 10

struct user_walk {
    const struct cpu_frame *f; /* of the interrupted program, at ring 3 */
    uint64_t rbp;              /* its frame pointer */
    uint64_t space;            /* its address space */
    unsigned callers;          /* return addresses at most, below CALL_STACK_DEPTH */
    uint32_t task;             /* row id */
};

/*
 * The record of this stack in `to`, a new one where it has none; NULL, and counted as lost, where there is no room.
 * A walk that would look up more pages is cut.  Any context in which nobody else writes `to`.
 */
struct call_stack *user_walk_find(const struct user_walk *w, struct call_stacks *to, enum walk_end *end);
