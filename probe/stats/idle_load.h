/* SPDX-License-Identifier: MIT */
/*
 * The load by the idle counter (Thurner, Figure 5): CNT1 over CNT2 is the idle share, and its rest
 * the load.  Host and task context: floating point.
 */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/text/text_buf.h"

/* The counters between two readings, or since they began: all in clock units but `halts`. */
struct idle_load {
    uint64_t idle, clock; /* CNT1, CNT2 */
    uint64_t io; /* of `idle`, while a task waited for a device */
    uint64_t halts;
};

/* The counters from one reading, NULL for the beginning, to another. */
struct idle_load idle_between(const struct wire_idle *from, const struct wire_idle *to);

/* Percent of CNT2 that was not idle; 0 where CNT2 is 0. */
double idle_load_busy(const struct idle_load *l);

/*
 * The resolution, percent: the error if the two ends of each halt were wrong by an empty interrupt, `empty` clock
 * units, all in one direction.
 */
double idle_load_resolution(const struct idle_load *l, uint64_t empty);

/* The line of a table: busy and idle share, seconds, halts, resolution. */
void idle_load_print(struct text_buf *b, const struct idle_load *l, uint64_t clock_hz, uint64_t empty);
