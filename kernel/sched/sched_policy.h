/* SPDX-License-Identifier: MIT */
/*
 * What a scheduler decides: who of those that are ready runs next, and who is to
 * run at once.  The queue and the change of task are in kernel/sched/sched.c; each
 * policy is one file (sched_*.c) that fills one struct, and one row of policies[].
 */
#ifndef KERNEL_SCHED_SCHED_POLICY_H
#define KERNEL_SCHED_SCHED_POLICY_H

#include <stdbool.h>

#include "kernel/sched/task.h"

/* All are called with interrupts off, and never for IDLE as `t`. */
struct sched_policy {
    /* Where in the queue who runs next stands; the queue has one at least, oldest first. */
    struct task **(*choose)(struct task **queue);
    /* `t`, just woken, is not to wait until the running task leaves by itself. */
    bool (*preempts)(const struct task *t);
    /* The running task, IDLE too, meets a tick of the system clock: another is to run. */
    bool (*tick)(const struct task *queue);
    /* `t` is new, in a slot that another may have had.  NULL: of no interest. */
    void (*admit)(const struct task *t);
    /* `t` gets the processor, loses it.  NULL: of no interest. */
    void (*enter)(const struct task *t);
    void (*leave)(const struct task *t);
};

extern const struct sched_policy sched_rr, sched_decay;

/*
 * What the decay-usage scheduler charges by: the samples that a row has so far, and the mean interval
 * between two, clock units.  Interrupts off.  Set once, before tasks run.
 */
struct sched_charge {
    uint64_t (*samples)(uint32_t id);
    uint64_t (*interval)(void);
};
void sched_decay_charge_by(const struct sched_charge *charge);

#endif
