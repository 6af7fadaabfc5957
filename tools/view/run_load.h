/* SPDX-License-Identifier: MIT */
/*
 * Fills a grid with the load over time of a run: by the account log, whose counters are cumulative, of each task,
 * or by the user event before; or from the differences of snapshots, where neither states nor events are told.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/trace/time_grid.h"

struct epoch;
struct timeline;

/* From the begin of the window to the last moment of the log, clock units; false: the epoch has none. */
bool acct_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task used between two moments that tell of it evenly over that time: rows by id.  A
 * moment that did not arrive makes a longer stretch, and loses nothing.
 */
void acct_load_fill(struct time_grid *g, const struct epoch *e);

/* The same by user events: rows by their numbers; all tasks together are row GRID_OTHERS, beside row IDLE. */
void acct_load_fill_ranges(struct time_grid *g, const struct epoch *e);

/* The load over time of a run that tells neither states nor events: from the differences of its snapshots. */

/* From the begin of the first snapshot to the end of the last, clock units; false: the epoch has none. */
bool snapshot_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task did between two snapshots evenly over that time: exact times, or, where none
 * were kept, the shares of the samples.
 */
void snapshot_load_fill(struct time_grid *g, struct timeline *t);
