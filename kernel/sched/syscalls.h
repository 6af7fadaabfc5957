/* SPDX-License-Identifier: MIT */
/*
 * The system calls (kernel/abi/syscall_numbers.h): functions of kernel/trap/, a file each family (syscalls_time.c,
 * syscalls_work.c, syscalls_task.c), and of monitors, each in its monitor's file.  Each gets RDI and RSI of the task,
 * which may be anything, and gives what RAX gets.  In a system call of the running task, which may make it;
 * interrupts on, and on again at the end.
 */
#pragma once

#include <stdint.h>

#include "kernel/sched/task.h"

#define SYSCALL_DENIED ((uint64_t)-1)

typedef uint64_t syscall(uint64_t rdi, uint64_t rsi);

/* All of them: CALL(NAME, name) is sys_NAME, number SYS_NAME. */
#define SYSCALLS_EACH(CALL) \
    CALL(EXIT, exit) CALL(SLEEP, sleep) CALL(PACE, pace) CALL(WORK, work) CALL(REST, rest) CALL(REPORT, report) \
    CALL(CLOCK, clock) CALL(FAULT, fault) CALL(MASK, mask) CALL(UNTIL, until) CALL(TICK, tick) CALL(CLOCKS, clocks) \
    CALL(UNITS, units) CALL(TAKE, take) CALL(SHADOW, shadow) CALL(STORM, storm) CALL(CALM, calm) CALL(SMI, smi) \
    CALL(DISK, disk) CALL(MONITOR, monitor) CALL(EVENT, event) CALL(SEND, send) CALL(RECEIVE, receive) \
    CALL(PROC, proc) CALL(PERF, perf) CALL(PS, ps) CALL(PRIORITY, priority) CALL(PROFIL, profil) \
    CALL(IDLE_COUNT, idle_count)
#define SYSCALL_DECLARE(NAME, name) syscall sys_##name;
SYSCALLS_EACH(SYSCALL_DECLARE)
#undef SYSCALL_DECLARE

/* A request that the task may not make, or whose argument would harm others: it is counted.  Ring 0 and 1. */
static inline uint64_t syscall_deny(void)
{
    current->denied.calls++;
    return SYSCALL_DENIED;
}
