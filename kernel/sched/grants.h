/* SPDX-License-Identifier: MIT */
/*
 * Which system calls and services a task may use.  The row of a workload grants what its
 * tasks need (kernel/workload/workload.h).  Any other request returns -1 and is counted
 * (kernel/sched/task.h).  A granted call is safe with any arguments, except SYS_FAULT,
 * which ends the image, and SVC_FAULT, which ends the task.
 */
#pragma once

#include "kernel/abi/syscall_numbers.h"

#define GRANT_SERVICES 32 /* the first bit of a service; those below are of system calls */

#define GRANT_CALL(number)    (1ull << (number))
#define GRANT_SERVICE(number) (1ull << (GRANT_SERVICES + (number)))

_Static_assert(SYSCALLS <= GRANT_SERVICES && SERVICES <= 64 - GRANT_SERVICES, "a bit each");

/* Every task may end itself. */
#define GRANTS_ALWAYS GRANT_CALL(SYS_EXIT)

/* To read the clock, and to convert times to its units. */
#define GRANTS_CLOCK \
    (GRANT_CALL(SYS_CLOCK) | GRANT_CALL(SYS_TICK) | GRANT_CALL(SYS_CLOCKS) | GRANT_CALL(SYS_UNITS))

/* To sleep. */
#define GRANTS_SLEEP (GRANT_CALL(SYS_SLEEP) | GRANT_CALL(SYS_UNTIL))

/* To get the work of a period, to do it at ring 1 and at ring 0, and to wait for the next period. */
#define GRANTS_PACE \
    (GRANT_CALL(SYS_PACE) | GRANT_CALL(SYS_WORK) | GRANT_CALL(SYS_REST) | GRANT_SERVICE(SVC_WORK))

/* To have a monitor page (kernel/sched/task_monitor.h). */
#define GRANTS_MONITOR GRANT_CALL(SYS_MONITOR)

/* To have a profile, and pages for one (kernel/sched/task_monitor.h). */
#define GRANTS_PROFIL GRANT_CALL(SYS_PROFIL)

/* To report numbers. */
#define GRANTS_REPORT GRANT_CALL(SYS_REPORT)
