/* SPDX-License-Identifier: MIT */
/*
 * monitor=idletask: the load by a task that counts at idle priority (Yevtushenko, "Measuring CPU
 * Usage", the first method).  The task counts in its own memory; its count is read there when a window
 * begins and when it is closed.  kernel/workload/workload_list.c makes the task where the boot line has the monitor.
 */
#pragma once

#include <stdbool.h>

#include "kernel/abi/idle_count.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/task.h"

#define IDLE_TASKS 4u /* that are read; another one is not */

/* The running task counts at this address of its own from now on; false where it cannot be read.  Task context. */
bool idle_task_register(uint64_t address);
