/* SPDX-License-Identifier: MIT */
/* The load over time of a run that tells neither states nor events: from the differences of its snapshots. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/timeline/timeline.h"
#include "tools/trace/time_grid.h"

/* From the begin of the first snapshot to the end of the last, clock units; false: the epoch has none. */
bool snapshot_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task did between two snapshots evenly over that time: exact times, or, where none
 * were kept, the shares of the samples.
 */
void snapshot_load_fill(struct time_grid *g, struct timeline *t);
