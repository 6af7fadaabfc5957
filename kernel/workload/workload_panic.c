/* SPDX-License-Identifier: MIT */
/*
 * Faults that end the image: a bad address in the kernel, an overflow of its stack, and
 * a fault during the dump of a fault.  One task each, for the tests of the dump.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

static const struct workload_task reader = {
    .name = "KREAD", .program = "culprit", .argument = CULPRIT_RING0 | FAULT_BAD_READ,
    .grants = GRANTS_SLEEP | GRANT_CALL(SYS_FAULT),
};
static const struct workload_task recursor = {
    .name = "KRECUR", .program = "culprit", .argument = CULPRIT_RING0 | FAULT_RECURSION,
    .grants = GRANTS_SLEEP | GRANT_CALL(SYS_FAULT),
};
static const struct workload_task loser = {
    .name = "KLOST", .program = "culprit", .argument = CULPRIT_RING0 | FAULT_LOST_TASK,
    .grants = GRANTS_SLEEP | GRANT_CALL(SYS_FAULT),
};

const struct workload workload_panic = {
    "panic", "the kernel reads a bad address", &reader, 1,
};
const struct workload workload_overflow = {
    "overflow", "the kernel's stack overflows", &recursor, 1,
};
const struct workload workload_panic2 = {
    "panic2", "the dump of a fault faults", &loser, 1,
};
