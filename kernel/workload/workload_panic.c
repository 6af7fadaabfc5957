/* SPDX-License-Identifier: MIT */
/*
 * Faults that end the image: a bad address in the kernel, an overflow of its stack, and
 * a fault during the dump of a fault.  One task each, for the tests of the dump.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define CULPRIT(task, fault) \
    { .name = (task), .program = "culprit", .argument = CULPRIT_RING0 | (fault), \
      .grants = GRANTS_SLEEP | GRANT_CALL(SYS_FAULT) }

static const struct workload_task reader[] = { CULPRIT("KREAD", FAULT_BAD_READ) };
static const struct workload_task recursor[] = { CULPRIT("KRECUR", FAULT_RECURSION) };
static const struct workload_task loser[] = { CULPRIT("KLOST", FAULT_LOST_TASK) };

WORKLOAD(workload_panic, "panic", "the kernel reads a bad address", reader);
WORKLOAD(workload_overflow, "overflow", "the kernel's stack overflows", recursor);
WORKLOAD(workload_panic2, "panic2", "the dump of a fault faults", loser);
