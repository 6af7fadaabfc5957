/* SPDX-License-Identifier: MIT */
/*
 * Tasks that ask for more than they may have: for calls that they are not granted,
 * for longer times with interrupts off than anybody may have, and for more of the
 * line than there is.  Beside them three that fault and one that does right.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define BOUNDED (GRANT_CALL(SYS_MASK) | GRANT_CALL(SYS_SHADOW) | GRANT_CALL(SYS_STORM))

/* They wait for a moment, so that they fault when the flood has begun. */
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

const struct workload workload_unruly = {
    "unruly", "tasks that ask for more than they may have", tasks, sizeof tasks / sizeof tasks[0],
};
