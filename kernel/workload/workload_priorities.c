/* SPDX-License-Identifier: MIT */
/*
 * Priorities, and what is measured with them: load meters as OS/2 has them.
 *
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

WORKLOAD(workload_priorities, "priorities", "tasks at all three priorities, and no time left",
         PACED("URGENT", 100000, PRIORITY_TIME_CRITICAL),
         PACED("USUAL", 300000, PRIORITY_REGULAR),
         BACKGROUND("BACK1", 0),
         BACKGROUND("BACK2", 0));

WORKLOAD(workload_background, "background", "figure3, and a task at idle priority that never sleeps",
         BACKGROUND("BACK", &workload_figure3));

WORKLOAD(workload_idletask, "idletask", "the task of monitor=idletask alone",
         { .name = "IDLER", .program = "idler", .priority = PRIORITY_TIME_CRITICAL,
           .grants = GRANTS_CLOCK | GRANT_CALL(SYS_PRIORITY) | GRANT_CALL(SYS_IDLE_COUNT) });

/* A reader that is time-critical reads in time. */
#define METER(task, of, call, with)                                                                        \
    { .name = (task), .program = "meter", .argument = (of), .priority = PRIORITY_TIME_CRITICAL,             \
      .grants = GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(call), .beside = (with) }

WORKLOAD(workload_perfcall, "perfcall", "figure3, and a task that reads the performance counters each second",
         METER("METER", METER_PERF, SYS_PERF, &workload_figure3));

/* The two that work alike, mostly in the kernel, differ in whose time that is. */
WORKLOAD(workload_proctable, "proctable", "a task that reads the table of processes each second, and three that work",
         METER("METER", METER_PS, SYS_PS, 0),
         { .name = "DOSBOX", .program = "worker", .kernel = 200000, .user = 20000, .owns_system = true,
           .grants = GRANTS_PACE },
         WORKER("NATIVE", 200000, 0, 20000),
         WORKER("COUNT", 0, 0, 300000));

/* Tasks come and go meanwhile. */
WORKLOAD(workload_badbuffers, "badbuffers", "turnover, and a task that asks for tables where it may have none",
         { .name = "HOSTIL", .program = "badbuffer", .beside = &workload_turnover,
           .grants = GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_PERF) | GRANT_CALL(SYS_PS) });
