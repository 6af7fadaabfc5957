/* SPDX-License-Identifier: MIT */
/*
 * What the account log keeps of a task beside its times: switches; its activations, each from the
 * wake to the next sleep, whose length is the response time; and the time of all tasks by the user
 * event before it (Thurner's cumulation).  Kept while monitor=acct is on.
 */
#pragma once

#include <stdbool.h>

#include "drivers/io.h"
#include "kernel/sched/task.h"

#define ACTIVITY_RANGES 256u /* user events of one number are one range */

struct activity_range {
    uint64_t times; /* user events of this number */
    /* for which tasks ran, from such an event to their next one; TSC clocks, ticks and interrupts included */
    uint64_t time;
};

extern bool task_activity_on; /* it is kept; changed by activity_begin() and activity_end() */

/* Keep it from now on, ranges from nothing; no longer.  Interrupts off. */
void activity_begin(void);
void activity_end(void);

/* The task, which runs, enters range `number` at `time`, TSC: it was recorded then, or is now.  Interrupts off. */
__attribute__((cold)) void activity_enter_range(struct task *t, uint8_t number, uint64_t time);

/* A range as it was when its tasks left the processor last.  Task PROBE. */
struct activity_range activity_range(uint8_t number);

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
