/* SPDX-License-Identifier: MIT */
/*
 * The instruction SYSCALL, for programs that were not made for this kernel.  Intel SDM 3A, 5.8.8.  It changes neither
 * stack nor GS: its entry (syscall_instruction.asm) does, and leaves by IRETQ, as all entries do.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"

/*
 * Set the registers that say where SYSCALL enters and which flags it clears.
 * Once, before such a program runs; interrupts off.
 */
void syscall_instruction_init(void);

/* Let the running program execute SYSCALL; or no longer: then it is an invalid opcode.  Interrupts off. */
void syscall_instruction_allow(bool allowed);

/* The bases of FS and GS, which the program sets by calls.  Canonical addresses; interrupts off. */
void syscall_instruction_set_bases(uint64_t fs, uint64_t gs);

/*
 * Called by the entry with the whole frame, except `tsc` and `cell`, whose vector is SYSCALL_VECTOR:
 * kernel/linux/linux_calls.c.  Interrupts off, and off at its return.
 */
void syscall_instruction(struct frame *f);

/*
 * The way of a system call from its stub to its dispatch (kernel/trap/syscall.c): monitors may stand in it,
 * each at a place of its own, and none of them costs the way where it does not.
 */

typedef void syscall_step(struct frame *f);

/* Outermost first; the last one is the dispatch. */
enum syscall_place { SYSCALL_RULES, SYSCALL_CALLERS, SYSCALL_PROFIL, SYSCALL_DISPATCH, SYSCALL_PLACES };

/* Where the stubs find the first step.  Interrupts off. */
extern syscall_step *syscall_way;

/* Put a step at its place; NULL: none.  A call under way goes on as it began.  Interrupts off. */
void syscall_way_set(enum syscall_place place, syscall_step *step);

/* From the step at `place` on to the next one.  In a system call. */
void syscall_way_on(enum syscall_place place, struct frame *f);
