/* SPDX-License-Identifier: MIT */
/*
 * Rows of tasks that have ended make room for new ones, where room is needed and not
 * before: their sampled and exact counters go to row ENDED (docs/ACCOUNTING.md, "Tasks
 * that end").  Called when a task is made, never by a tick.  The start, and task context
 * at ring 0; one maker at a time.
 */
#ifndef KERNEL_TICK_ROW_ENDED_H
#define KERNEL_TICK_ROW_ENDED_H

#include "kernel/sched/task.h"

/*
 * The slot of the task that ended longest ago, its exact times moved to another slot of
 * its row, or with its row to ENDED where it is the row's last.  NULL: none has ended.
 */
struct task *row_ended_slot(void);

/*
 * See to it that samples of the row `id` find a record, if need be by retiring one of the rows in
 * their place of which all tasks have ended, the longest ended one.  Where all of them
 * live on its samples will be lost, and counted.
 */
void row_ended_record(uint32_t id);

#endif
