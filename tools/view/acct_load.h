/* SPDX-License-Identifier: MIT */
/*
 * The load over time by the account log, whose counters are cumulative: of each task, or by the user event before it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/model/stream_model.h"
#include "tools/trace/time_grid.h"

/* From the begin of the window to the last moment of the log, clock units; false: the epoch has none. */
bool acct_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task used between two moments that tell of it evenly over that time: rows by id.  A
 * moment that did not arrive makes a longer stretch, and loses nothing.
 */
void acct_load_fill(struct time_grid *g, const struct epoch *e);

/* The same by user events: rows by their numbers; all tasks together are row GRID_OTHERS, beside row IDLE. */
void acct_load_fill_ranges(struct time_grid *g, const struct epoch *e);
