/* SPDX-License-Identifier: MIT */
/* The ready queue and the change of task; who runs next is the policy's (kernel/sched/sched_policy.h). */
#ifndef KERNEL_SCHED_SCHED_H
#define KERNEL_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"

/* Become the first task, IDLE, on the stack that is in use.  Once, interrupts off. */
struct task *sched_init(void);

/* The imaginary task that runs when no other can. */
struct task *sched_idle(void);

/* Halt until something is ready, for ever.  Task IDLE. */
_Noreturn void sched_idle_loop(void);

/* A new task is made in a slot that another may have had.  Before it is ready. */
void sched_new_task(const struct task *t);

/* Take a ready task out of the queue, for ever.  Interrupts off. */
void sched_remove(struct task *t);

/*
 * Load what the running task keeps in registers that no way into the kernel saves: of
 * the FPU and SSE, and segments.  On its own stack, interrupts off.
 */
void sched_load_registers(const struct task *t);

/* Put a task at the end of the ready queue.  Interrupts off. */
void sched_ready(struct task *t);

/* The same for one that slept; it may be that it runs at once.  Interrupt context. */
void sched_wake(struct task *t);

/* A tick of the system clock: it may be that another task's turn comes.  Interrupt context. */
void sched_tick(void);

/*
 * Give the CPU to the next ready task, or to IDLE; returns when the caller's
 * task runs again.  The caller has put itself where it belongs.  Interrupts off,
 * the account in a masked cell of the running task.
 */
void sched_switch(void);

/* Let no interrupt switch tasks on its way out, until it is let again.  Interrupts off. */
void sched_hold(bool hold);

/* On the way out of an interrupt: switch if one was asked for.  Interrupts off. */
void sched_interrupt_exit(void);

#endif
