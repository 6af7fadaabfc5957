/* SPDX-License-Identifier: MIT */
/*
 * Gaps: stretches that a loop which only reads the clock did not run, though no interrupt could come.  They are
 * counted by length, and the long ones are kept, so that a period can be found in them.
 *
 * The period: of the gaps that are about as long as the usual one of the bucket which takes most time, the median
 * distance m.  A distance fits where it is within a 20th of m of a multiple of m.  Of gaps that come at random no
 * more than 7 % fit (the sum over k of exp(-0.95 k ln 2 ..) of exponential distances); so of seven distances, one of
 * which fits by itself, three quarters fit with a chance below 2 in 100000.  With fewer gaps, or fewer that fit,
 * there is no period.  Gaps that nobody watched for make distances of several periods, which is why multiples count.
 * All in integers: any context but a tick.
 */
#pragma once

#include <stdint.h>

#define GAP_BUCKETS 22u /* 1, 2, 5, 10 .. 10^7 microseconds */
#define GAPS_KEPT   1024u
#define GAPS_OF_PERIOD 8u /* at least */

struct gap {
    uint64_t at, length; /* when it ended, and how long it was; clock units */
};

struct gap_log {
    uint64_t edge[GAP_BUCKETS];   /* the least length of each bucket, clock units; of the first one 0 */
    uint64_t count[GAP_BUCKETS], time[GAP_BUCKETS];
    uint64_t gaps, time_all, greatest;
    uint64_t squares;             /* sum of the squares of lengths in units of 256 clock units */
    uint64_t least;               /* shorter ones are not kept: there were too many */
    uint64_t dropped;             /* long enough, but found no room */
    uint32_t kept;
    struct gap gap[GAPS_KEPT];    /* by time */
    uint64_t scratch[GAPS_KEPT];
};

/* The least length of a bucket, microseconds; of the first one shorter gaps are counted too. */
uint64_t gap_bucket_us(unsigned bucket);

/* Begin a log; `clock_hz` from 10^6 to 10^11. */
void gap_log_begin(struct gap_log *l, uint64_t clock_hz);

/* Take a gap, no earlier than the one before; lengths below 2^40 clock units. */
void gap_log_add(struct gap_log *l, const struct gap *g);

struct gap_period {
    uint64_t period; /* clock units; 0: none is found */
    uint64_t length; /* the median of these gaps */
    uint32_t gaps;   /* how many are of about that length */
    uint32_t fits;   /* distances between them that fit */
};

/* Look for a period in what was kept. */
struct gap_period gap_log_period(struct gap_log *l);
