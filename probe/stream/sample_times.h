/* SPDX-License-Identifier: MIT */
/* Computes the times of a frame of samples: what the schedule predicts, and the steps from that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/sample_decode.h"

/*
 * A time is the previous one + (counts * clock >> 16) + handler + step * stamp; in clock units.  With `points` it is
 * the previous point + (counts * clock >> 16), which is the next point, + step * stamp.
 */
struct sample_prediction {
    uint64_t clock, handler, stamp;
    bool points;
};

/*
 * Compute the times of a batch from the second sample on: time[0] is known, the others are counts of the schedule.
 * False if the steps are cut short or not what a sender makes.  Task or host context: it uses vector registers.
 */
bool sample_times(struct sample_batch *b, const struct sample_prediction *f);
