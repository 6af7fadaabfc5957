/* SPDX-License-Identifier: MIT */
/*
 * The way of a system call from its stub to its dispatch (kernel/trap/syscall.c): monitors may stand in it,
 * each at a place of its own, and none of them costs the way where it does not.
 */
#pragma once

#include "kernel/cpu/frame.h"

typedef void syscall_step(struct frame *f);

/* Outermost first; the last one is the dispatch. */
enum syscall_place { SYSCALL_RULES, SYSCALL_CALLERS, SYSCALL_PROFIL, SYSCALL_DISPATCH, SYSCALL_PLACES };

/* Where the stubs find the first step.  Interrupts off. */
extern syscall_step *syscall_way;

/* Put a step at its place; NULL: none.  A call under way goes on as it began.  Interrupts off. */
void syscall_way_set(enum syscall_place place, syscall_step *step);

/* From the step at `place` on to the next one.  In a system call. */
void syscall_way_on(enum syscall_place place, struct frame *f);
