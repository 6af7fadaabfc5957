/* SPDX-License-Identifier: MIT */
/* Keeps the tasks of a guest by name: those of one name are one row. */
#pragma once

#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stats/snapshot.h"

#define TASKS_MAX 120u /* rows; the last one is that of all further names */

struct task {
    uint32_t id;            /* of its row: from 1, or ROW_IDLE */
    char name[NAME_SIZE];
    uint64_t time[MODES];   /* ns, in the window */
};

struct task_table {
    struct task task[TASKS_MAX];
    unsigned count;
    uint64_t merged; /* names that found no row of their own */
};

/* The row of this name, made where there is none: IDLE is that of the idle task. */
struct task *task_named(struct task_table *t, const char *name);

/* All times are 0 again. */
void task_clear(struct task_table *t);
