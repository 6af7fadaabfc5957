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

#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/task.h"
#include "probe/stats/tick_usage.h"

/* Ticks by mode since the window began; an observer outside of the machine may watch them.  Interrupts off. */
extern uint64_t procstat_ticks[TICK_MODES];

struct procstat_row {
    uint32_t number, id; /* of the task */
    int8_t nice;
    struct task_ticks ticks;
};

struct procstat_totals {
    uint64_t begin, end; /* TSC */
    uint64_t ticks[TICK_MODES];
    uint64_t running, blocked; /* tasks that were ready or running, and that waited for a device */
    uint64_t load[3];          /* averages of 1, 5 and 15 minutes, times LOAD_ONE */
};

/* As they were closed. */
struct procstat_window {
    struct procstat_totals all;
    uint32_t rows;
    struct procstat_row row[TASKS_MAX]; /* tasks with a tick */
};

/* The last one.  Task PROBE. */
const struct procstat_window *procstat_closed(void);

/* Read them as they are at the TSC `now`.  Interrupts off. */
void procstat_read(struct procstat_totals *to, uint64_t now);

/* Whether the monitor counts.  Any context. */
bool procstat_is_on(void);
