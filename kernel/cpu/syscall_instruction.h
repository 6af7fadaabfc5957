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
