/* SPDX-License-Identifier: MIT */
/*
 * Adds up time by row, state and column: a stretch of a run in equal columns, for charts over time.  All times
 * are whole clock units, so that the sums of a grid are those of what was added.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "tools/base/hash_index.h"
#include "tools/timeline/timeline.h"

#define GRID_STATES   9
#define GRID_COLUMNS  4096 /* at most */
#define GRID_ROWS     512  /* at most; what has no row goes to row GRID_OTHERS */
#define GRID_OTHERS   UINT64_MAX

struct grid_cell {
    uint64_t time[GRID_STATES]; /* clock units */
};

struct grid_row {
    uint64_t key; /* the caller's: a row id, or a number of its own above 32 bits */
    uint64_t time[GRID_STATES]; /* over all columns */
    struct grid_cell *cell; /* one a column */
};

struct time_grid {
    int64_t from, to; /* clock units, from < to */
    unsigned columns;
    struct grid_row *row;
    size_t rows, most; /* at most GRID_ROWS, which a caller may lower before the first row */
    struct index row_of; /* by key */
};

/* `columns` from 1 to GRID_COLUMNS, from < to.  All zeros. */
void time_grid_begin(struct time_grid *g, int64_t from, int64_t to, unsigned columns);
void time_grid_free(struct time_grid *g);

/* Add the part of [begin, end) that is in the grid to a row's state, below GRID_STATES. */
void time_grid_add(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end);

/*
 * Add `time` to a row's state, spread evenly over [begin, end), begin < end; what is outside of the grid is left out.
 */
void time_grid_spread(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end, uint64_t time);

/* The row of a key; NULL: nothing was added to it. */
const struct grid_row *time_grid_row(const struct time_grid *g, uint64_t key);

/* Where a column begins; of number `columns`: where the grid ends. */
int64_t time_grid_column(const struct time_grid *g, unsigned column);

/* The sum of a row's or a cell's states. */
uint64_t grid_sum(const uint64_t time[GRID_STATES]);

/* The state with the most time; GRID_STATES: none has any. */
unsigned grid_greatest(const struct grid_cell *cell);

/* The grid of a run: a row for each task, and rows for interrupts, sections with interrupts off, and the monitor. */

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
