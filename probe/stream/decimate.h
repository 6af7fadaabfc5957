/* SPDX-License-Identifier: MIT */
/*
 * Which ticks a decimated stream of raw samples contains: two of each 2 * factor ticks,
 * chosen at random and independently of what runs.  The two make a pair.  Decimated
 * samples are therefore two points in each stratum of length 2 * factor * T
 * (docs/ACCOUNTING.md, "Raw samples").
 */
#pragma once

#include <stdint.h>

/* Largest factor; it is bounded because a decoder replays each omitted tick. */
#define DECIMATE_MAX 4096u

/*
 * The tick, from 0, of the transmitted sample `number`, from 0 and below 2^48.  factor:
 * 0 or 1 returns the number itself, else 2 .. DECIMATE_MAX.  The seed is that of the run.
 * Task and host context.
 */
uint64_t decimate_tick(uint64_t number, uint32_t factor, uint64_t seed);
