/* SPDX-License-Identifier: MIT */
/*
 * How long ticks were delayed: a snapshot's histogram of lateness, and the number of
 * periods of delay of each length.  A tick that falls at random into such a period is
 * delayed by the rest of it.  The ticks that are delayed by a to b therefore count the
 * periods that last at least that long:
 *   ticks delayed by a to b / all ticks = (b - a) * such periods per second,
 * as a mean over a to b.  Host and task context: floating point.
 */
#pragma once

#include <stdint.h>

#include "probe/stats/snapshot.h"

struct masked_durations_row {
    double low, high;  /* delay of the ticks, microseconds: [low, high) */
    uint64_t ticks;
    double per_second; /* periods of delay at least that long */
};

/*
 * Fill the rows that have ticks, the shortest delay first, at most SNAPSHOT_BUCKETS.
 * Returns their number; 0 if `clock_hz` is 0 or no tick was late.
 */
unsigned masked_durations_of(const struct snapshot *s, uint64_t clock_hz,
                             struct masked_durations_row row[SNAPSHOT_BUCKETS]);
