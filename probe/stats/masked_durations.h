/* SPDX-License-Identifier: MIT */
/*
 * How long ticks were held up: the histogram of lateness of a snapshot, and what
 * it says of the stretches that held them up.  A tick that falls into a stretch at
 * random sees what is left of it, so that the ticks that see between a and b are as
 * dense as stretches that last so long are frequent:
 *   ticks seen / all ticks = (b - a) * stretches a second that last that long,
 * as a mean over a to b.  Host and task context: floating point.
 */
#ifndef PROBE_STATS_MASKED_DURATIONS_H
#define PROBE_STATS_MASKED_DURATIONS_H

#include <stdint.h>

#include "probe/stats/snapshot.h"

struct masked_durations_row {
    double low, high;  /* what the ticks waited, microseconds: [low, high) */
    uint64_t ticks;
    double per_second; /* stretches that last so long */
};

/*
 * The rows that have ticks, shortest first, of a clock of so many Hz, at most
 * SNAPSHOT_BUCKETS.  Returns how many; 0 where `clock_hz` is 0 or no tick was late.
 */
unsigned masked_durations_of(const struct snapshot *s, uint64_t clock_hz,
                             struct masked_durations_row row[SNAPSHOT_BUCKETS]);

#endif
