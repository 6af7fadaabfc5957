/* SPDX-License-Identifier: MIT */
/*
 * What tasks asked for in vain: counted by task and by cause, and told at the end of the run
 * (kernel/report/report_denials.c).
 */
#ifndef KERNEL_SCHED_DENIALS_H
#define KERNEL_SCHED_DENIALS_H

#include <stdint.h>

struct task;

/* Of one task.  Changed by the task itself, the last two with interrupts off. */
struct denials {
    uint64_t calls;   /* system calls and services without a grant (kernel/sched/grants.h), or out of bounds */
    uint64_t reports; /* numbers that found no room (kernel/sched/task_events.h) */
    uint64_t faults;  /* records of its end that found no room */
};

/* The task's place is given to another: what it was denied goes to the sum of all such.  Task context. */
void denials_retire(struct task *t);

/* The sum of those whose place was given to others.  Task context. */
const struct denials *denials_retired(void);

#endif
