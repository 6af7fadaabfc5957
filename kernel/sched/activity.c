/* SPDX-License-Identifier: MIT */
/* Whether the activity of tasks is kept. */
#include "kernel/sched/activity.h"

bool task_activity_on;

void activity_count_switch(struct task *to)
{
    to->activity.switches++;
}
