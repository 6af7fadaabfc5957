/* SPDX-License-Identifier: MIT */
/*
 * Tasks that ask for more than they may have: calls without a grant, longer times with
 * interrupts off than are allowed, and more reports than the serial line carries.
 * Beside them run three tasks that fault and one that is correct.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define BOUNDED (GRANT_CALL(SYS_MASK) | GRANT_CALL(SYS_SHADOW) | GRANT_CALL(SYS_STORM))

/* Each waits a moment first: it shall fault after the flood of reports has begun. */
#define CULPRIT(task, wrong) \
    { .name = (task), .program = "culprit", .argument = (wrong), .grants = GRANTS_SLEEP }

static const struct workload_task tasks[] = {
    { .name = "ASKER", .program = "asker", .argument = ~(GRANTS_ALWAYS | GRANTS_REPORT),
      .grants = GRANTS_REPORT },
    { .name = "BOUND", .program = "asker", .argument = BOUNDED, .grants = BOUNDED | GRANTS_REPORT },
    { .name = "FLOOD", .program = "flooder", .grants = GRANTS_REPORT },
    CULPRIT("UPRIV", FAULT_PRIVILEGED),
    CULPRIT("UDIV", FAULT_DIVIDE),
    CULPRIT("UREAD", FAULT_BAD_READ),
    { .name = "GOOD", .program = "worker", .kernel = 20000, .supervisor = 20000, .user = 20000,
      .grants = GRANTS_PACE },
};

WORKLOAD(workload_unruly, "unruly", "tasks that ask for more than they may have", tasks);
