/* SPDX-License-Identifier: MIT */
/*
 * A counter that is read now and then, followed across its wraps.  Each reading lies between two readings of the
 * clock (the TSC), and so is certain to no less than what lies between them.
 *
 * A counter that stands at n has counted at least n and less than n + 1: its slack is 1.  An edge, such as the end of
 * the RTC's update, is an exact moment: its slack is 0.  Of two readings the counts between them are known to the
 * slack on either side, and the time between them is at least from the second reading of the clock at the first to
 * the first one at the last, and at most from the first at the first to the second at the last
 * (probe/survey/rates.h).  All in integers: any context but a tick.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct clock_reading {
    uint64_t from, to; /* the clock before and after, clock units */
    uint64_t count;    /* what the counter showed, below its modulus */
};

struct clock_track {
    uint64_t modulus;   /* counts after which it is at 0 again, a power of two; 1: edges, which have no count */
    uint64_t per_65536; /* clock units in 65536 counts, known to a 256th */
    bool begun, lost;   /* lost: the time to a reading was too long to know the wraps in it; then no more are taken */
    uint64_t first_from, first_to; /* the clock at the first reading, */
    uint64_t last_from, last_to;   /* and at the last one */
    uint64_t raw, counts;          /* what the last one showed; counts since the first */
};

/* Follow a counter that counts up; one that counts down is read as its negative. */
void clock_track_begin(struct clock_track *t, uint64_t modulus, uint64_t per_65536);

/*
 * Take a reading, no earlier than the one before.  It is refused, and the track is lost, where a 256th of the counts
 * that are due since the one before is above a quarter of the modulus.  Of edges, those are rounded to whole ones.
 * Distances of readings below 2^47 clock units.
 */
bool clock_track_add(struct clock_track *t, const struct clock_reading *r);
