/* SPDX-License-Identifier: MIT */
/*
 * A task whose supervisor service makes system calls, from ring 3 to 1 to 0 and back,
 * and a task that ends while the other goes on.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

static const struct workload_task tasks[] = {
    { .name = "RINGS", .program = "worker", .user = 100000, .supervisor = 150000,
      .argument = 1, .grants = GRANTS_PACE | GRANT_SERVICE(SVC_SYNC) },
    { .name = "SHORT", .program = "culprit", .argument = FAULT_KINDS, .grants = GRANTS_SLEEP },
};

WORKLOAD(workload_rings, "rings", "a service that makes system calls; a task that ends", tasks);
