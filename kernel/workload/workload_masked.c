/* SPDX-License-Identifier: MIT */
/*
 * A task that spends a tenth of the time with interrupts off, and another task beside
 * it.  They test row MASKED and the count of missed ticks.
 */
#include "kernel/workload/workload.h"

static const struct workload_task tasks[] = {
    { .name = "MASKER", .program = "masker", .user = 200000, .kernel = 100000,
      .grants = GRANTS_PACE | GRANT_CALL(SYS_MASK) },
    { .name = "NEXT", .program = "worker", .user = 300000, .kernel = 100000,
      .grants = GRANTS_PACE },
};

WORKLOAD(workload_masked, "masked", "a task that keeps interrupts off", tasks);
