/* SPDX-License-Identifier: MIT */
/*
 * Which ticks a thinned stream of raw samples tells: of each 2 * factor ticks
 * two, chosen at random and independently of anything that runs, which make a
 * pair of their own.  So thinned samples are those of two points in a stratum
 * 2 * factor * T long (docs/ACCOUNTING.md, "Raw samples").
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
