/* SPDX-License-Identifier: MIT */
/* The counters of what tasks asked for in vain, of those too whose place was given to others. */
#include "kernel/sched/denials.h"

#include "kernel/sched/task.h"

static struct denials retired; /* of tasks whose place was given to others; task context */

void denials_retire(struct task *t)
{
    retired.calls += t->denied.calls;
    retired.reports += t->denied.reports;
    retired.faults += t->denied.faults;
    t->denied = (struct denials){ .calls = 0 };
}

const struct denials *denials_retired(void)
{
    return &retired;
}
