/* SPDX-License-Identifier: MIT */
/*
 * Which slot of tasks[] a new task is made in.  A row of the tables is an id
 * (docs/ACCOUNTING.md, "The system monitor").  Each slot has one, also after the end of
 * its task, and its exact times belong to that row.
 */
#pragma once

#include "kernel/sched/task.h"

/*
 * A slot for a task of the row `id`, in state TASK_NEW.  First choice: of an ended task of
 * the same row, so that the row goes on; then a slot that was never used; then that of
 * the task that ended longest ago (kernel/tick/tick_hooks.c), but not with account=log,
 * whose entries name slots.  NULL where there is none.  Only number, name, id, program,
 * state, stacks and account are set; the other members are still those of the last task.
 * During the start, and in task context at ring 0; one caller at a time.
 */
struct task *task_slot_claim(const char *name, uint32_t id, uint32_t program);

/*
 * How rows of ended tasks make room (kernel/tick/tick_hooks.c): slot() gives a slot, NULL
 * where none can be freed; record() sees to the monitor's records for a row.  Set once,
 * before tasks run.
 */
struct task_retirement {
    struct task *(*slot)(void);
    void (*record)(uint32_t id);
    /* a new task is about to get the slot of this one, whose counters are still there */
    void (*reuse)(struct task *ended);
    void (*begins)(struct task *t);    /* a new task has the slot; its row has what others of the row left */
};
void task_slot_retire_by(const struct task_retirement *by);

/* Mark that the slot's task has ended now.  Interrupts off, or before it runs. */
void task_slot_ended(struct task *t);

/* The most bytes, to 64, that any task has ever had on its stack at ring 0, of TASK_STACK0_BYTES.  Task context. */
uint64_t task_deepest_stack(void);
