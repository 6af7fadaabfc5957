/* SPDX-License-Identifier: MIT */
/*
 * One CPU-bound task that measures how long a fixed amount of work takes, again and
 * again.  The cost of a tick shows as longer times (Crowe, "Interrupt handling").
 */
#include "kernel/workload/workload.h"

static const struct workload_task tasks[] = {
    { .name = "SPIN", .program = "spinner", .argument = 4000000,
      .grants = GRANTS_CLOCK | GRANTS_REPORT },
};

WORKLOAD(workload_spin, "spin", "one CPU-bound task that reports how long its work takes", tasks);
