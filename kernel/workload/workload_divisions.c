/* SPDX-License-Identifier: MIT */
/* Crowe's 10 000 emulated divisions (kernel/tasks/divider.c). */
#include "kernel/workload/workload.h"

static const struct workload_task divisions[] = {
    { .name = "DIVIDE", .program = "divider", .argument = 10000, .grants = GRANTS_SLEEP | GRANTS_REPORT },
};

WORKLOAD(workload_divisions, "divisions", "ten thousand emulated divisions of 32 bits", divisions);
