/* SPDX-License-Identifier: MIT */
/*
 * Requests of tasks that were denied, counted by task and by cause.  They are printed at
 * the end of the run (kernel/report/report_denials.c).
 */
#pragma once

#include <stdint.h>

struct task;

/* Of one task.  Written by the task itself, all but the first with interrupts off. */
struct denials {
    uint64_t calls;   /* system calls and services without a grant (kernel/sched/grants.h), or out of bounds */
    uint64_t reports; /* reports for which there was no room (kernel/sched/task_events.h) */
    uint64_t faults;  /* records of its fault for which there was no room */
    uint64_t event_times; /* user events with a time at which it did not run (kernel/sched/task_monitor.h) */
    uint64_t event_room;  /* user events that it overwrote before they were taken */
};

/* The task's slot is reused: add its counters to the sum of all such tasks, and clear them.  Task context. */
void denials_retire(struct task *t);

/* That sum.  Task context. */
const struct denials *denials_retired(void);
