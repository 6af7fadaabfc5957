/* SPDX-License-Identifier: MIT */
/*
 * Which system calls and services a task may make.  A workload's row grants what its
 * tasks need (kernel/workload/workload.h); whatever else they ask for answers -1 and is counted
 * (kernel/sched/denials.h).  Every call that is granted is safe with any arguments, but for
 * SYS_FAULT, which ends the image, and SVC_FAULT, which ends the task.
 */
#ifndef KERNEL_SCHED_GRANTS_H
#define KERNEL_SCHED_GRANTS_H

#include <stdint.h>

#include "kernel/abi/syscall_numbers.h"

#define GRANT_SERVICES 32 /* the first bit of a service; those below are of system calls */

#define GRANT_CALL(number)    (1ull << (number))
#define GRANT_SERVICE(number) (1ull << (GRANT_SERVICES + (number)))

_Static_assert(SYSCALLS <= GRANT_SERVICES && SERVICES <= 64 - GRANT_SERVICES, "a bit each");

/* To end is everybody's right. */
#define GRANTS_ALWAYS GRANT_CALL(SYS_EXIT)

/* To read the clock, and to reckon in its units. */
#define GRANTS_CLOCK \
    (GRANT_CALL(SYS_CLOCK) | GRANT_CALL(SYS_TICK) | GRANT_CALL(SYS_CLOCKS) | GRANT_CALL(SYS_UNITS))

/* To sleep. */
#define GRANTS_SLEEP (GRANT_CALL(SYS_SLEEP) | GRANT_CALL(SYS_UNTIL))

/* To ask for a period's work, to do it at ring 1 and at ring 0, and to rest. */
#define GRANTS_PACE \
    (GRANT_CALL(SYS_PACE) | GRANT_CALL(SYS_WORK) | GRANT_CALL(SYS_REST) | GRANT_SERVICE(SVC_WORK))

/* To put numbers on record. */
#define GRANTS_REPORT GRANT_CALL(SYS_REPORT)

#endif
