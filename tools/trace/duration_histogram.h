/* SPDX-License-Identifier: MIT */
/* A histogram of durations: buckets by powers of two of the clock unit, or of one width.  Host only. */
#pragma once

#include <stdint.h>

#define DURATION_BUCKETS 1024 /* at most; the last one also has all longer ones */

struct duration_histogram {
    uint64_t width; /* clock units; 0: bucket b has what has b binary digits, from 2^(b-1) to 2^b - 1 */
    uint64_t bucket[DURATION_BUCKETS];
    uint64_t count;
    int64_t total, least, greatest, greatest_at; /* clock units; of the first of the greatest when it began */
};

/* Begin; `width` as in the struct. */
void duration_histogram_begin(struct duration_histogram *h, uint64_t width);

/* Add one; below 0, where the account was ahead of the clock, it counts as 0 in the buckets. */
void duration_histogram_add(struct duration_histogram *h, int64_t begin, int64_t length);

/* The mean, clock units; 0 of none. */
double duration_histogram_mean(const struct duration_histogram *h);

/* Buckets [*first, *end) hold everything; both 0: there is nothing. */
void duration_histogram_range(const struct duration_histogram *h, unsigned *first, unsigned *end);

/* Where a bucket begins, clock units: from here up to where the next one begins. */
uint64_t duration_histogram_from(const struct duration_histogram *h, unsigned bucket);
