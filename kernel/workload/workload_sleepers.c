/* SPDX-License-Identifier: MIT */
/*
 * Tasks that sleep and report how long it took: some sleep to the microsecond, others
 * to a tick of the system clock.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define SLEEPER(task, how_long) \
    { .name = (task), .program = "sleeper", .argument = (how_long), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT }

static const struct workload_task tasks[] = {
    SLEEPER("SL100", 100),
    SLEEPER("SL1000", 1000),
    SLEEPER("SL22K5", 22500),
    SLEEPER("GRID1K", SLEEPER_GRID | 1000),
    SLEEPER("GRID15", SLEEPER_GRID | 15000),
};

WORKLOAD(workload_sleepers, "sleepers", "tasks that report how long they slept", tasks);
