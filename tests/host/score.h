/* SPDX-License-Identifier: MIT */
/*
 * What those share that run a schedule over many seeds: a generator that is not the
 * one under test, the counts of a run, and how far they were from the truth.
 */
#pragma once

#include <stdint.h>

#include "probe/estimate/confidence.h"

#define CELLS_MAX 36
#define EXPECTED  20 /* hits that a cell must expect to be counted */

/* splitmix64 (Steele, Lea, Flood, 2014): not the generator under test. */
static inline uint64_t draw(uint64_t *random)
{
    uint64_t z = *random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline double uniform(uint64_t *random)
{
    return ((double)(draw(random) >> 11) + 0.5) * 0x1p-53;
}

/* Counts of one run, by cell; times in any one unit. */
struct run {
    uint64_t hits[CELLS_MAX], changes[CELLS_MAX], time[CELLS_MAX], window;
};

/* Sums over the seeds, for one cell. */
struct score {
    double truth, error, square, width;
    unsigned covered;
};

static inline void score_cell(struct score *score, const struct run *r, const struct estimator *e,
                              unsigned c, uint64_t samples)
{
    struct tally t = {r->hits[c], samples, r->changes[c]};
    double truth = (double)r->time[c] / (double)r->window;
    struct confidence i = e->reason ? confidence_wald(&t, LEVEL_95) : confidence_of(e, &t, LEVEL_95);

    score->truth += truth;
    score->error += i.estimate - truth;
    score->square += (i.estimate - truth) * (i.estimate - truth);
    score->width += (i.high - i.low) / 2;
    score->covered += truth >= i.low && truth <= i.high;
}
