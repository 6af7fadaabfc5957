/* SPDX-License-Identifier: MIT */
/*
 * A task's memory, read and written for it at addresses that it gave.  Each page is looked up in the
 * task's tables and accessed through the direct map: no address faults the kernel.  Nothing is counted here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "probe/core/call_stacks.h"

/*
 * Copy bytes out of a space, or into it.  False, and nothing was copied, where a byte is outside of the
 * tasks' half, is not mapped, or the task itself could not read it, or write it.  Any context in which
 * nobody changes the space.
 */
bool user_memory_read(uint64_t space, void *to, uint64_t address, uint64_t bytes);
bool user_memory_write(uint64_t space, uint64_t address, const void *from, uint64_t bytes);

/* The kernel's address of bytes within one page that the task can write; NULL else.  The same contexts. */
void *user_memory_writable(uint64_t space, uint64_t address, uint64_t bytes);

/*
 * The call stack of a program that was interrupted: its frame pointers (probe/core/call_stacks.h), read through its
 * page tables, so that nothing faults.  A function that has not made its frame yet, or has left it,
 * is seen by its code.
 */

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
