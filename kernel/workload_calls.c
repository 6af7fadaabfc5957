/* SPDX-License-Identifier: MIT */
/*
 * Tasks that do little but enter the kernel, the supervisor and each other: what
 * a tick between any two instructions of those ways is tested on.
 */
#include "kernel/workload.h"

static const struct workload_task tasks[] = {
    { .name = "CALLER", .program = "caller", .argument = 5 },
    { .name = "DOZER", .program = "caller", .argument = 20 },
    { .name = "DOZER2", .program = "caller", .argument = 70 },
};

const struct workload workload_calls = {
    "calls", "tasks that enter the kernel as often as they can", tasks,
    sizeof tasks / sizeof tasks[0],
};
