/* SPDX-License-Identifier: MIT */
/* Preemptive round robin: who runs next, and the change of task. */
#ifndef KERNEL_SCHED_H
#define KERNEL_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/task.h"

/* Become the first task, IDLE, on the stack that is in use.  Once, interrupts off. */
struct task *sched_init(void);

/* The imaginary task that runs when no other can. */
struct task *sched_idle(void);

/* Halt until something is ready, for ever.  Task IDLE. */
_Noreturn void sched_idle_loop(void);

/* Put a task at the end of the ready queue.  Interrupts off. */
void sched_ready(struct task *t);

/*
 * Give the CPU to the next ready task, or to IDLE; returns when the caller's
 * task runs again.  The caller has put itself where it belongs.  Interrupts off,
 * the account in a masked cell of the running task.
 */
void sched_switch(void);

/* Ask for a switch on the way out of the present interrupt.  Interrupt context. */
void sched_want(void);

/* On the way out of an interrupt: switch if one was asked for.  Interrupts off. */
void sched_interrupt_exit(void);

#endif
