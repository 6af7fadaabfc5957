/* SPDX-License-Identifier: MIT */
/*
 * Tasks of all three priorities (enum task_priority): what tasks of the better ones leave goes to two that
 * never sleep at idle priority.  And one of these beside the paper's 34 tasks, so that the processor is never idle.
 */
#include "kernel/workload/workload.h"

#define ENDLESS (1ull << 62) /* units: longer than any run */

#define PACED(task, in_user, of_priority)                                       \
    { .name = (task), .program = "worker", .user = (in_user), .priority = (of_priority), .grants = GRANTS_PACE }
#define BACKGROUND(task, with)                                                  \
    { .name = (task), .program = "spinner", .argument = ENDLESS, .priority = PRIORITY_IDLE, .grants = GRANTS_CLOCK, \
      .beside = (with) }

static const struct workload_task three[] = {
    PACED("URGENT", 100000, PRIORITY_TIME_CRITICAL),
    PACED("USUAL", 300000, PRIORITY_REGULAR),
    BACKGROUND("BACK1", 0),
    BACKGROUND("BACK2", 0),
};

static const struct workload_task one[] = { BACKGROUND("BACK", &workload_figure3) };

WORKLOAD(workload_priorities, "priorities", "tasks at all three priorities, and no time left", three);
WORKLOAD(workload_background, "background", "figure3, and a task at idle priority that never sleeps", one);
