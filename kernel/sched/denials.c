/* SPDX-License-Identifier: MIT */
/* Counters of denied requests; those of tasks whose slot was reused are summed up here. */
#include "kernel/sched/denials.h"

#include "kernel/sched/task.h"

static struct denials retired; /* of tasks whose slot was reused; task context */

void denials_retire(struct task *t)
{
    retired.calls += t->denied.calls;
    retired.reports += t->denied.reports;
    retired.faults += t->denied.faults;
    retired.event_times += t->denied.event_times;
    retired.event_room += t->denied.event_room;
    t->denied = (struct denials){ .calls = 0 };
}

const struct denials *denials_retired(void)
{
    return &retired;
}
