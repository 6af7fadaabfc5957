/* SPDX-License-Identifier: MIT */
/* How long ticks were delayed. */
/* Uses vector registers: task context only. */
#include "probe/stats/masked_durations.h"

#define MICRO 1e6

unsigned masked_durations_of(const struct snapshot *s, uint64_t clock_hz,
                             struct masked_durations_row row[SNAPSHOT_BUCKETS])
{
    unsigned rows = 0;

    for (unsigned digits = 0; digits < SNAPSHOT_BUCKETS && clock_hz != 0; digits++) {
        const double high = MICRO * (double)(1ull << digits) / (double)clock_hz;
        const double low = digits != 0 ? high / 2 : 0;

        if (s->bucket[digits] == 0)
            continue;
        row[rows++] = (struct masked_durations_row){
            .low = low, .high = high, .ticks = s->bucket[digits],
            .per_second = MICRO * (double)s->bucket[digits] / ((double)s->ticks * (high - low)),
        };
    }
    return rows;
}
