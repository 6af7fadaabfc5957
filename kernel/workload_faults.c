/* SPDX-License-Identifier: MIT */
/*
 * Every way to do wrong, at ring 3 and at ring 1, a task each, beside two that
 * do right and must go on.
 */
#include "kernel/syscall_numbers.h"
#include "kernel/workload.h"

static const struct workload_task tasks[] = {
    { .name = "GOOD1", .program = "worker", .kernel = 20000, .supervisor = 20000,
      .user = 20000 },
    { .name = "UREAD", .program = "culprit", .argument = FAULT_BAD_READ },
    { .name = "UWRITE", .program = "culprit", .argument = FAULT_BAD_WRITE },
    { .name = "UEXEC", .program = "culprit", .argument = FAULT_EXECUTE_DATA },
    { .name = "UKERN", .program = "culprit", .argument = FAULT_KERNEL_READ },
    { .name = "UPRIV", .program = "culprit", .argument = FAULT_PRIVILEGED },
    { .name = "UPORT", .program = "culprit", .argument = FAULT_PORT },
    { .name = "UDIV", .program = "culprit", .argument = FAULT_DIVIDE },
    { .name = "UUD", .program = "culprit", .argument = FAULT_OPCODE },
    { .name = "URECUR", .program = "culprit", .argument = FAULT_RECURSION },
    { .name = "USTACK", .program = "culprit", .argument = FAULT_STACK },
    { .name = "UUMIP", .program = "culprit", .argument = FAULT_DESCRIPTOR },
    { .name = "SREAD", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_BAD_READ },
    { .name = "SWRITE", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_BAD_WRITE },
    { .name = "SEXEC", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_EXECUTE_DATA },
    { .name = "SPRIV", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_PRIVILEGED },
    { .name = "SPORT", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_PORT },
    { .name = "SDIV", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_DIVIDE },
    { .name = "SUD", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_OPCODE },
    { .name = "SRECUR", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_RECURSION },
    { .name = "SSTACK", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_STACK },
    { .name = "SUSER", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_USER_READ },
    { .name = "SUEXEC", .program = "culprit", .argument = CULPRIT_RING1 | FAULT_USER_EXECUTE },
    { .name = "GOOD2", .program = "worker", .kernel = 20000, .supervisor = 20000,
      .user = 20000 },
};

const struct workload workload_faults = {
    "faults", "every fault at ring 3 and ring 1", tasks, sizeof tasks / sizeof tasks[0],
};
