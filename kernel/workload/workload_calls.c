/* SPDX-License-Identifier: MIT */
/*
 * Tasks that do little but enter the kernel and the supervisor, and switch.  They test
 * that a tick may fall between any two instructions of entries and exits.
 */
#include "kernel/workload/workload.h"

#define GRANTS_CALLER \
    (GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_PACE | GRANTS_REPORT | GRANT_SERVICE(SVC_SYNC))

static const struct workload_task tasks[] = {
    { .name = "CALLER", .program = "caller", .argument = 5, .grants = GRANTS_CALLER },
    { .name = "DOZER", .program = "caller", .argument = 20, .grants = GRANTS_CALLER },
    { .name = "DOZER2", .program = "caller", .argument = 70, .grants = GRANTS_CALLER },
};

WORKLOAD(workload_calls, "calls", "tasks that enter the kernel as often as they can", tasks);
