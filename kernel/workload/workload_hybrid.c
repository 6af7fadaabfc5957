/* SPDX-License-Identifier: MIT */
/* What user events cost a task that only computes, by each way to record them (Thurner, section 5). */
#include "kernel/workload/workload.h"

static const struct workload_task rows[] = {
    { .name = "MARKER", .program = "marker", .grants = GRANTS_MONITOR | GRANTS_REPORT | GRANT_CALL(SYS_EVENT) },
};

WORKLOAD(workload_hybrid, "hybrid",
         "a task that records user events by each way there is, and reports what they cost", rows);
