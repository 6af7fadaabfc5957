/* SPDX-License-Identifier: MIT */
/*
 * Tasks that try to learn when ticks come: one predicts them from those that it saw,
 * and one looks for data of others in all that it can read.
 */
#include "kernel/workload/workload.h"

#define RATE 997u /* ticks a second that it assumes */

static const struct workload_task foresee[] = {
    { .name = "FORSEE", .program = "foresee", .argument = RATE,
      .grants = GRANTS_CLOCK | GRANT_SERVICE(SVC_WORK) },
};

WORKLOAD(workload_foresee, "foresee", "a task that works only where, by the ticks it saw, none can come", foresee);

static const struct workload_task snoop[] = {
    { .name = "SNOOP", .program = "snoop",
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANTS_PACE },
};

WORKLOAD(workload_snoop, "snoop", "a task that looks for what is not its own in registers, stack and memory", snoop);
