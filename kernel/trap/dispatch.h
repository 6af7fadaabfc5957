/* SPDX-License-Identifier: MIT */
/* What the common entry of interrupts and exceptions calls. */
#pragma once

#include <stdint.h>

#include "kernel/cpu/frame.h"

/* Settle the account, call the handler that is registered, charge it.  Interrupts off. */
void interrupt_dispatch(struct frame *f);

/*
 * A tick by an entry of its own at which the system clock is to be looked at, too;
 * kernel/cpu/vectors.asm calls it.  Interrupts off.
 */
void own_tick_and_look(const struct cpu_frame *f, uint64_t now);

/*
 * Where the entry stub finds that; a monitor may put itself before it (kernel/monitor/intercept.h).  Interrupts off.
 */
extern void (*interrupt_way)(struct frame *f);

/* Make the system call of the frame, which gets the answer: the last step of kernel/cpu/syscall_instruction.h. */
void syscall_dispatch(struct frame *f);
