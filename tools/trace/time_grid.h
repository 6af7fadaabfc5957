/* SPDX-License-Identifier: MIT */
/*
 * Time by row, state and column: a stretch of a run in equal columns, for charts over time.  All
 * times are whole clock units, so that the sums of a grid are those of what was added.  Host only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"

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
    size_t rows;
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
