/* SPDX-License-Identifier: MIT */
/* A task that raises SMIs, and another task beside it.  They test row STOLEN. */
#include "kernel/workload/workload.h"

static const struct workload_task tasks[] = {
    { .name = "RAISER", .program = "raiser", .user = 200000, .kernel = 100000, .argument = 150000,
      .smi = true, .grants = GRANTS_CLOCK | GRANTS_PACE | GRANTS_REPORT | GRANT_CALL(SYS_SMI) },
    { .name = "NEXT", .program = "worker", .user = 300000, .kernel = 100000,
      .grants = GRANTS_PACE },
};

WORKLOAD(workload_smi, "smi", "a task that raises SMIs of 150 us", tasks);
