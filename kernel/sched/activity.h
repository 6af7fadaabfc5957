/* SPDX-License-Identifier: MIT */
/*
 * What the account log keeps of a task beside its times: switches, and its activations, each from the
 * wake to the next sleep, whose length is the response time.  Kept while monitor=acct is on.
 */
#pragma once

#include <stdbool.h>

#include "drivers/io.h"
#include "kernel/sched/task.h"

extern bool task_activity_on; /* it is kept; set with interrupts off */

/* Count that the task gets the processor: out of line, because sched_switch() is a hot path.  Interrupts off. */
__attribute__((cold)) void activity_count_switch(struct task *to);

/* The task gets the processor.  Interrupts off. */
static inline void activity_switch(struct task *to)
{
    if (__builtin_expect(task_activity_on, 0))
        activity_count_switch(to);
}

/* A task that slept becomes ready.  Interrupts off. */
static inline void activity_wake(struct task *t)
{
    if (__builtin_expect(task_activity_on, 0))
        t->activity.woken = rdtsc();
}

/* The task goes to sleep.  Interrupts off. */
static inline void activity_sleep(struct task *t)
{
    uint64_t response;

    if (__builtin_expect(!task_activity_on, 1) || t->activity.woken == 0)
        return;
    response = rdtsc() - t->activity.woken;
    t->activity.woken = 0;
    t->activity.activations++;
    t->activity.response += response;
    if (response > t->activity.greatest)
        t->activity.greatest = response;
}
