/* SPDX-License-Identifier: MIT */
/*
 * Retiring the rows of ended tasks.  When a new task needs room, the counters of an ended one
 * are added to row ENDED (docs/ACCOUNTING.md, "Tasks that end").  Called when a task is made,
 * never by a tick.  The start, and task context at ring 0; one caller at a time.
 */
#pragma once

#include "kernel/sched/task.h"

/*
 * Returns the slot of the task that ended first.  Its exact times are moved to another slot of
 * its row; where it is the last slot of its row, the row is added to ENDED.  NULL: no task has ended.
 */
struct task *exited_tasks_slot(void);

/*
 * Reserve a record of the system monitor for the samples of row `id`.  If its places are taken,
 * the row among them that ended first is retired.  If none of those has ended, the samples will
 * be lost, and counted as lost.
 */
void exited_tasks_record(uint32_t id);
