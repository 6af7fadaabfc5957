/* SPDX-License-Identifier: MIT */
/*
 * The slots of tasks[]: which one a new task is made in.  A row of the tables is an id
 * (docs/ACCOUNTING.md, "The system monitor"); each slot has one, also after the end of
 * its task, and its exact times are the row's.
 */
#ifndef KERNEL_SCHED_TASK_SLOT_H
#define KERNEL_SCHED_TASK_SLOT_H

#include "kernel/sched/task.h"

/*
 * A slot for a task of the row `id`, TASK_NEW and nobody else's: of a task of the same
 * row that has ended, so that the row goes on; or one that was never used; or that of
 * the task that ended longest ago (kernel/tick/row_ended.h), but with account=log, which
 * knows rows by their slots.  NULL where there is none.  Its members but for number,
 * name, id, program, state, stacks and account are those of the last task.  The start,
 * and task context at ring 0; one maker at a time.
 */
struct task *task_slot_claim(const char *name, uint32_t id, uint32_t program);

/*
 * How rows of ended tasks make room (kernel/tick/row_ended.h): by a slot, NULL: none can; and by the records
 * that a task of this row needs.  Set once, before tasks run.
 */
struct task_retirement {
    struct task *(*slot)(void);
    void (*record)(uint32_t id);
};
void task_slot_retire_by(const struct task_retirement *by);

/* Its task has ended now.  Interrupts off, or before it runs. */
void task_slot_ended(struct task *t);

#endif
