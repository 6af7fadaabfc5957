/* SPDX-License-Identifier: MIT */
/*
 * Three tasks of one program and one of another.  The three have one row or three, as
 * identity= says (Crowe's UNIX version charges all runs of a file to one row).
 */
#include "kernel/workload/workload.h"

static const struct workload_task tasks[] = {
    { .name = "TWIN", .program = "worker", .user = 100000, .grants = GRANTS_PACE },
    { .name = "TWIN", .program = "worker", .user = 150000, .grants = GRANTS_PACE },
    { .name = "OTHER", .program = "worker", .user = 50000, .grants = GRANTS_PACE },
    { .name = "ROGUE", .program = "rogue", .user = 100000, .kernel = 100000, .grants = GRANTS_PACE },
};

WORKLOAD(workload_twins, "twins", "several runs of one program", tasks);
