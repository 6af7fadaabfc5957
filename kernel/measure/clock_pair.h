/* SPDX-License-Identifier: MIT */
/*
 * The rate of one clock by another, from two readings.  A counter that was read between two readings of the TSC
 * was read somewhere between them, and its count began up to one count before: so the error has a bound, and no
 * distribution is assumed.
 */
#pragma once

#include <stdint.h>

#include "kernel/lib/mul_div64.h"
#include "probe/survey/clock_track.h"

struct clock_rate {
    uint64_t hz;        /* of the TSC; 0: the pairs tell none */
    uint32_t error_ppm; /* that it may be wrong by at most, if the counter has its nominal rate; rounded up */
};

#define CLOCK_PPM 1000000u

/*
 * `counts`: of the counter, from one pair to the other, at `hz_milli` counts in 1000 seconds.  The products fit where
 * the TSC makes less than 2^44 clocks meanwhile.  Task context.
 */
static inline struct clock_rate clock_pair_rate(const struct clock_reading *first, const struct clock_reading *last,
                                                uint32_t counts, uint64_t hz_milli)
{
    /* The middles are apart by half of this. */
    const uint64_t twice = last->from + last->to - first->from - first->to;
    const uint64_t windows = last->to - last->from + first->to - first->from;

    if (counts == 0 || twice == 0 || twice >> 44 != 0)
        return (struct clock_rate){ 0, 0 };
    return (struct clock_rate){
        .hz = mul_div64(twice, hz_milli, 2000ull * counts),
        .error_ppm = (uint32_t)((mul_div64(windows, CLOCK_PPM, twice) + 1) + (CLOCK_PPM + counts - 1) / counts),
    };
}

/* Millionths by which `hz` is above `reference`; below it, negative.  Task context. */
static inline int64_t clock_ppm(uint64_t hz, uint64_t reference)
{
    const uint64_t apart = hz > reference ? hz - reference : reference - hz;
    const int64_t ppm = (int64_t)mul_div64(apart, CLOCK_PPM, reference);

    return hz > reference ? ppm : -ppm;
}
