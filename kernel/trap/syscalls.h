/* SPDX-License-Identifier: MIT */
/*
 * The system calls (kernel/abi/syscall_numbers.h), a file each family: syscalls_time.c, syscalls_work.c,
 * syscalls_task.c, syscalls_monitor.c.  Each gets RDI and RSI of the task, which may be anything, and gives what
 * RAX gets.  In a system call of the running task, which may make it; interrupts on, and on again at the end.
 */
#pragma once

#include <stdint.h>

#include "kernel/sched/task.h"

#define SYSCALL_DENIED ((uint64_t)-1)

typedef uint64_t syscall(uint64_t rdi, uint64_t rsi);

syscall sys_exit, sys_priority, sys_take, sys_send, sys_receive, sys_report, sys_event, sys_monitor;
syscall sys_sleep, sys_until, sys_clock, sys_tick, sys_clocks, sys_units;
syscall sys_pace, sys_work, sys_rest, sys_mask, sys_shadow, sys_storm, sys_calm, sys_smi, sys_disk, sys_fault;
syscall sys_idle_count, sys_perf, sys_ps, sys_profil, sys_proc;

/* A request that the task may not make, or whose argument would harm others: it is counted.  Ring 0 and 1. */
static inline uint64_t syscall_deny(void)
{
    current->denied.calls++;
    return SYSCALL_DENIED;
}
