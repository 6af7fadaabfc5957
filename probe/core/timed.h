/* SPDX-License-Identifier: MIT */
/*
 * Times code by a clock, many times over.  What is timed reads the clock before and behind itself, so that nothing of
 * this lies between its readings.  All is inline: the kernel and a port use it with clocks of their own.
 */
#pragma once

#include <stdint.h>

#define TIMED_RUNS 16u

/* The least value of `took`, an expression that runs the code and is its time: a delay only makes a run longer. */
#define TIMED_LEAST(took)                                          \
    __extension__({                                                \
        uint64_t timed_least = UINT64_MAX;                         \
                                                                   \
        for (unsigned timed = 0; timed < TIMED_RUNS; timed++) {    \
            const uint64_t one = (took);                           \
                                                                   \
            timed_least = one < timed_least ? one : timed_least;   \
        }                                                          \
        timed_least;                                               \
    })

/* `time` without `other`; 0 where that is longer. */
static inline uint64_t timed_beyond(uint64_t time, uint64_t other)
{
    return time > other ? time - other : 0;
}
