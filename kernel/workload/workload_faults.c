/* SPDX-License-Identifier: MIT */
/* Each kind of fault at ring 3 and at ring 1, one task each, beside two correct tasks that must go on. */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

/* Its argument tells the fault and the ring, 3 or 1; no row grants a fault at ring 0. */
#define CULPRIT(task, wrong) \
    { .name = (task), .program = "culprit", .argument = (wrong), \
      .grants = GRANTS_SLEEP | GRANT_SERVICE(SVC_FAULT) }
#define GOOD(task) \
    { .name = (task), .program = "worker", .kernel = 20000, .supervisor = 20000, .user = 20000, \
      .grants = GRANTS_PACE }

static const struct workload_task tasks[] = {
    GOOD("GOOD1"),
    CULPRIT("UREAD", FAULT_BAD_READ),
    CULPRIT("UWRITE", FAULT_BAD_WRITE),
    CULPRIT("UEXEC", FAULT_EXECUTE_DATA),
    CULPRIT("UKERN", FAULT_KERNEL_READ),
    CULPRIT("UPRIV", FAULT_PRIVILEGED),
    CULPRIT("UPORT", FAULT_PORT),
    CULPRIT("UDIV", FAULT_DIVIDE),
    CULPRIT("UUD", FAULT_OPCODE),
    CULPRIT("URECUR", FAULT_RECURSION),
    CULPRIT("USTACK", FAULT_STACK),
    CULPRIT("UUMIP", FAULT_DESCRIPTOR),
    CULPRIT("USCALL", FAULT_SYSCALL),
    CULPRIT("USENTER", FAULT_SYSENTER),
    CULPRIT("UGATE", FAULT_CALL_GATE),
    CULPRIT("UXGETBV", FAULT_XGETBV),
    CULPRIT("SREAD", CULPRIT_RING1 | FAULT_BAD_READ),
    CULPRIT("SWRITE", CULPRIT_RING1 | FAULT_BAD_WRITE),
    CULPRIT("SEXEC", CULPRIT_RING1 | FAULT_EXECUTE_DATA),
    CULPRIT("SPRIV", CULPRIT_RING1 | FAULT_PRIVILEGED),
    CULPRIT("SPORT", CULPRIT_RING1 | FAULT_PORT),
    CULPRIT("SDIV", CULPRIT_RING1 | FAULT_DIVIDE),
    CULPRIT("SUD", CULPRIT_RING1 | FAULT_OPCODE),
    CULPRIT("SRECUR", CULPRIT_RING1 | FAULT_RECURSION),
    CULPRIT("SSTACK", CULPRIT_RING1 | FAULT_STACK),
    CULPRIT("SUSER", CULPRIT_RING1 | FAULT_USER_READ),
    CULPRIT("SACUSER", CULPRIT_RING1 | CULPRIT_AC | FAULT_USER_READ),
    CULPRIT("SUEXEC", CULPRIT_RING1 | FAULT_USER_EXECUTE),
    GOOD("GOOD2"),
};

WORKLOAD(workload_faults, "faults", "every fault at ring 3 and ring 1", tasks);
