/* SPDX-License-Identifier: MIT */
/* Runs and rows that the tests of tools/analysis/share_diff.h compare, and numbers drawn for them. */
#pragma once

#include <stdint.h>

#include "tools/analysis/share_diff.h"

static inline double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

/* Of independent samples: the policy's variance is that of counts. */
static inline struct share_diff_run run_of(enum pairing pairing, uint64_t samples)
{
    return (struct share_diff_run){{pairing, pairing == PAIR_EACH, NULL, 0}, samples, 0};
}

static inline struct share_diff_row row_of(uint64_t hits_a, uint64_t n, uint64_t hits_b, uint64_t m)
{
    return (struct share_diff_row){.name = "f", .a = {hits_a, n, 0}, .b = {hits_b, m, 0}};
}
