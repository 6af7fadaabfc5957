/* SPDX-License-Identifier: MIT */
/*
 * What a scheduler decides: which ready task runs next, and which preempts the running
 * one.  The queue and the task switch are in kernel/sched/sched.c.  A policy is one file
 * (sched_*.c) that fills one struct, and one row of policies[] in kernel/main.c.
 */
#pragma once

#include <stdbool.h>

#include "kernel/sched/task.h"

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

extern const struct sched_policy sched_rr, sched_classes, sched_decay, sched_decay_wake;

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
