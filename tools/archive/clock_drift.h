/* SPDX-License-Identifier: MIT */
/*
 * Tells how much faster a board's clock runs than the host's, from the times that the board sent and the times at
 * which they arrived.
 *
 * A message is never early and often late, by queues on the way, by a host that was busy.  So only
 * the least delayed messages tell of the clocks: the run is cut into 10 to 30 blocks, in each the
 * message with the least delay is taken, and a line is fitted through these by least squares.  What
 * is least depends on the line, so this is done three times.  The interval is Student's, from how
 * far the blocks are off the line: least delays of equal blocks are alike and, but for a delay that
 * grows or shrinks over the whole run, independent.  A delay that changes so cannot be told from
 * drift.
 */
#pragma once

#include <stddef.h>

#define DRIFT_MOMENTS 4096 /* that are kept; of more, the less delayed of two neighbours */
#define DRIFT_LEAST   30   /* fewer moments tell no interval */

struct clock_moment {
    double board, host; /* s, each by its own clock */
};

struct clock_drift {
    struct clock_moment moment[DRIFT_MOMENTS], pending; /* `pending`: the best of the neighbours so far */
    size_t count;
    unsigned each, waiting; /* of how many neighbours one is kept; how many of them came */
};

struct drift_estimate {
    size_t moments, blocks; /* that were used */
    double drift;           /* board over host less 1, parts of one */
    double error;           /* half of the 95 % interval; below 0: too few moments */
};

/* All zeros at first.  A message that was sent at `board` and arrived at `host`; both grow. */
void clock_drift_add(struct clock_drift *d, double board, double host);

struct drift_estimate clock_drift_estimate(const struct clock_drift *d);
