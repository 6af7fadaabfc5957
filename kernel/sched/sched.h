/* SPDX-License-Identifier: MIT */
/* The ready queue and the task switch.  The policy (kernel/sched/sched.h) decides which task is next. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"

/*
 * What a scheduler decides: which ready task runs next, and which preempts the running
 * one.  The queue and the task switch are in kernel/sched/sched.c.  A policy is one file
 * (sched_*.c) that fills one struct, and one row of policies[] in kernel/main.c.
 */

/* All are called with interrupts off; `t` is never IDLE. */
struct sched_policy {
    /* The place in the queue of the task that runs next.  The queue is not empty; oldest first. */
    struct task **(*choose)(struct task **queue);
    /* Whether `t`, which just woke, preempts the running task. */
    bool (*preempts)(const struct task *t);
    /* A tick of the system clock while a task, or IDLE, runs: whether another task shall run. */
    bool (*tick)(const struct task *queue);
    /* `t` is new; its slot may have been another task's.  May be NULL. */
    void (*admit)(const struct task *t);
    /* The priority of `t` has changed.  May be NULL. */
    void (*prioritize)(const struct task *t);
    /* The policy to go on with once a task's priority is not regular; NULL: this one knows priorities. */
    const struct sched_policy *classes;
    /* `t` gets the processor, and loses it.  May be NULL. */
    void (*enter)(const struct task *t);
    void (*leave)(const struct task *t);
};

extern const struct sched_policy sched_rr, sched_decay, sched_decay_wake;

/*
 * How the decay-usage scheduler measures use: the samples of a row so far, and the mean
 * interval between two samples, clock units.  Called with interrupts off.  Set once,
 * before tasks run.
 */
struct sched_charge {
    uint64_t (*samples)(uint32_t id);
    uint64_t (*interval)(void);
};
void sched_decay_charge_by(const struct sched_charge *charge);

/* Make the code that runs now the first task, IDLE; this policy is in force from here on.  Once, interrupts off. */
void sched_init(const struct sched_policy *by);

/* IDLE, the task that runs when no other is ready. */
struct task *sched_idle(void);

/* Halt until a task is ready, for ever.  Task IDLE. */
_Noreturn void sched_idle_loop(void);

/* Tell the policy of a new task, whose slot another task may have had, before it is ready. */
void sched_new_task(const struct task *t);

/* Count passes (kernel/sched/sched.h) from now on, or no longer.  Interrupts off. */
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

/*
 * Time in whole passes through the scheduler, as OS/2's table of processes has it (Yevtushenko,
 * "Measuring CPU Usage": each counter is increased each time the process goes through the scheduler).
 * A task goes through it when it loses the processor and when a tick of the system clock looks for
 * another one.  They are counted in front of the policy in force, so that they cost nothing while they are off.
 */

/* Of one task: it was interrupted at ring 3, or was elsewhere; of IDLE all are `system`. */
struct task_passes {
    uint64_t user, system;
};

/* A policy that counts, and decides as this one does.  Interrupts off. */
const struct sched_policy *sched_passes_over(const struct sched_policy *policy);

/* Of a task since it was made or they were counted first; of all tasks, also of those that ended.  Interrupts off. */
struct task_passes sched_passes_of(const struct task *t);
uint64_t sched_passes_all(void);
