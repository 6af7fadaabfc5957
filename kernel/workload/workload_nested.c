/* SPDX-License-Identifier: MIT */
/*
 * One program of known work by function, as it is and with the compiler's instrumentation: what
 * that costs, and how it bends the profile.  In scribbled a task beside them writes garbage into
 * the pages that it shares with the kernel.
 */
#include "kernel/workload/workload.h"

#define PLAIN  { .name = "PLAIN", .program = "nested" }
#define TRACED { .name = "TRACED", .program = "nested-traced", .grants = GRANTS_MONITOR }

static const struct workload_task rows[] = { PLAIN, TRACED };

static const struct workload_task scribbled_rows[] = {
    PLAIN,
    TRACED,
    { .name = "SCRIB", .program = "scribbler", .grants = GRANTS_MONITOR },
    { .name = "BARRED", .program = "marker" }, /* it has no such pages, and ends at its first access */
};

WORKLOAD(workload_nested, "nested", "a program of known work, with and without calls counted by function", rows);
WORKLOAD(workload_scribbled, "scribbled",
         "the same beside a task that writes garbage where it shares pages with the kernel", scribbled_rows);
