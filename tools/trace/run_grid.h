/* SPDX-License-Identifier: MIT */
/* The grid of a run: a row for each task, and rows for interrupts, sections with interrupts off, and the monitor. */
#pragma once

#include "probe/core/mode.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/time_grid.h"

/* Keys of rows that are no task; a task's key is its row id. */
#define GRID_KEY(n)     ((uint64_t)(n) << 32)
#define GRID_UNKNOWN    GRID_KEY(1) /* a task whose id did not arrive */
#define GRID_INTERRUPTS GRID_KEY(2) /* handlers of interrupts, whatever task they interrupt */
#define GRID_MASKED     GRID_KEY(3) /* interrupts off */
#define GRID_MONITOR    GRID_KEY(4) /* the tick's handler, no task's time */
#define GRID_GAPS       GRID_KEY(5) /* nothing is known */

#define GRID_CLASSES    GRID_KEY(6) /* plus the number of a class of states */

/* States: the modes, by number, then these. */
enum { GRID_NO_MODE = MODES, GRID_IRQ_OFF, GRID_TICK, GRID_NOTHING, GRID_IN_CLASS };

/* Add a step or a gap. */
void run_grid_add(struct time_grid *g, const struct timeline_item *item);

/* Whether a row is a task's, or of tasks without an id or a row of their own. */
static inline bool run_grid_is_task(uint64_t key)
{
    return key <= GRID_UNKNOWN || key == GRID_OTHERS;
}

/* The name of a row; those of classes have none here. */
void run_grid_name(const struct epoch *e, uint64_t key, char name[NAME_SIZE]);

/* Order the rows: tasks with the longest time first, IDLE last of them, then the other rows by key. */
void run_grid_sort(struct time_grid *g);
