/* SPDX-License-Identifier: MIT */
/*
 * Which ticks a decimated stream of raw samples contains: two of each 2 * factor ticks,
 * chosen at random and independently of what runs.  The two make a pair.  So
 * decimated samples are those of two points in a stratum 2 * factor * T long (docs/ACCOUNTING.md, "Raw samples").
 */
#ifndef PROBE_STREAM_DECIMATE_H
#define PROBE_STREAM_DECIMATE_H

#include <stdint.h>

/* Largest factor: a decoder replays each tick that was left out. */
#define DECIMATE_MAX 4096u

/*
 * The tick, from 0, of the told sample `number`, from 0.  Task and host context.
 * factor 1: number itself; else 2 .. DECIMATE_MAX.  number below 2^48.  The seed is
 * that of the run.
 */
uint64_t decimate_tick(uint64_t number, uint32_t factor, uint64_t seed);

#endif
