/* SPDX-License-Identifier: MIT */
/* Lengths of runs and hits: how many, their sum, the shortest and the longest, and a histogram by powers of two.  Host only. */
#pragma once

#include <stdint.h>

#define RUN_LENGTH_BUCKETS 64 /* bucket b: the duration has b binary digits; below 0 counts as 0 */

/* All zeros: none.  Times are clock units. */
struct run_lengths {
    uint64_t count;
    int64_t sum, least, greatest;
    int64_t greatest_at; /* when that one began */
    uint64_t bucket[RUN_LENGTH_BUCKETS];
};

void run_lengths_add(struct run_lengths *d, int64_t begin, int64_t length);

/* The mean, clock units; 0 of none. */
double run_lengths_mean(const struct run_lengths *d);
