/* SPDX-License-Identifier: MIT */
/* The ready queue and the task switch.  The policy (kernel/sched/sched_policy.h) decides which task is next. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/sched_policy.h"

/* Make the code that runs now the first task, IDLE; this policy is in force from here on.  Once, interrupts off. */
void sched_init(const struct sched_policy *by);

/* IDLE, the task that runs when no other is ready. */
struct task *sched_idle(void);

/* Halt until a task is ready, for ever.  Task IDLE. */
_Noreturn void sched_idle_loop(void);

/* Tell the policy of a new task, whose slot another task may have had, before it is ready. */
void sched_new_task(const struct task *t);

/* Count passes (kernel/sched/sched_passes.h) from now on, or no longer.  Interrupts off. */
void sched_count_passes(bool on);

/* Give a task another priority.  Interrupts off. */
void sched_set_priority(struct task *t, enum task_priority priority);

/* Tasks that are ready or running, IDLE apart: the length of the run queue.  Interrupts off. */
unsigned sched_runnable(void);

/* Remove a ready task, which ends, from the queue.  Interrupts off. */
void sched_remove(struct task *t);

/*
 * Load the running task's registers that kernel entries do not save: FPU, SSE and
 * segments.  On the task's own stack, interrupts off.
 */
void sched_load_registers(const struct task *t);

/* Put a task at the end of the ready queue.  Interrupts off. */
void sched_ready(struct task *t);

/* The same for a task that slept; the policy may let it preempt the running task.  Interrupt context. */
void sched_wake(struct task *t);

/* A tick of the system clock: the policy may switch tasks.  Interrupt context. */
void sched_tick(void);

/*
 * Give the CPU to the next ready task, or to IDLE; returns when the caller's task runs
 * again.  The caller has put itself into a queue, or it will never run again.  Interrupts
 * off, and the account is in a cell of the running task with interrupts off.
 */
void sched_switch(void);

/* Disable preemption at the end of interrupts, or enable it again.  Interrupts off. */
void sched_hold(bool hold);

/* The running task is a new one: charge it from here on.  On its own stack, interrupts off. */
void sched_switched(void);

/* Call this where the end of an interrupt switches tasks, before it does; NULL: nothing.  Interrupts off. */
void sched_on_interrupt_switch(void (*call)(void));

/*
 * At the end of an interrupt, with its vector: switch tasks if that was requested; returns when the interrupted task
 * runs again.  True: it did, and the account is in a cell of the task's kernel.  Interrupts off.
 */
bool sched_interrupt_exit(unsigned vector);
