/* SPDX-License-Identifier: MIT */
/*
 * monitor=procstat: the tick counters of Linux 2.6.2x to 3.x (Stefanov and Gradskov 2016, section 2).  Each
 * interrupt of the system clock that is a tick charges a whole tick to the mode and the task that it interrupted:
 *   outside of ring 0   user, or nice where the task's nice is above 0, and the task's user time
 *   in a handler        irq, and the system time of the task that the handler had interrupted
 *   in task IDLE        iowait where a task waits for a device, else idle
 *   else                system, and the task's system time
 * Ticks that passed with interrupts off are charged to nobody.  Load averages are kept beside.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/syscall_numbers.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/task.h"
#include "probe/stats/tick_usage.h"

/* Ticks by mode since the window began; an observer outside of the machine may watch them.  Interrupts off. */
extern uint64_t procstat_ticks[TICK_MODES];

/* Read the counters as they are at the TSC `now`.  Interrupts off. */
void procstat_read(struct wire_procstat *to, uint64_t now);

/* Whether the monitor counts.  Any context. */
bool procstat_is_on(void);

/*
 * A file of the texts (kernel/monitor/proc_files.c) was read, from `since` until now, TSC: what that costs is counted
 * by file, from before the text is made until it is in the task's memory, with the interrupts that came meanwhile,
 * which the shortest reading has not.  Interrupts off.
 */
void procstat_count_read(enum proc_kind kind, uint64_t since, uint64_t bytes);
