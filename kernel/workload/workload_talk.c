/* SPDX-License-Identifier: MIT */
/* A task that records user events of known values, beside one that keeps the processor busy. */
#include "kernel/workload/workload.h"

static const struct workload_task rows[] = {
    { .name = "TALK", .program = "talker", .grants = GRANTS_MONITOR | GRANTS_REPORT | GRANTS_SLEEP },
    { .name = "PLAIN", .program = "nested" },
};

WORKLOAD(workload_talk, "talk", "a task that records user events in a page of its own, beside one that computes",
         rows);
