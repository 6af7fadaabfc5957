/* SPDX-License-Identifier: MIT */
/*
 * The parts of the receiver of raw samples: the places and steps of one PACKED_SAMPLES frame, and the times of a
 * frame of samples, which are what the schedule predicts and the steps from that.  The bytes may be anything: nothing
 * is read past them.
 */
#pragma once

#include <stdbool.h>

#include "probe/coding/leb128.h"
#include "probe/stream/sample_decode.h"

/* Whether a place may have this task and this mode with its delay. */
bool sample_is_place(uint64_t task, uint64_t mode);

/* Read a place in full; false if it is cut short or there is no such place.  Any context. */
bool sample_unpack_full(struct leb128_bytes *from, struct sample_location *where);

/* Fill place[], full[] and runs of a batch of b->count samples, at least 1.  False if no sender makes such codes. */
bool sample_unpack_places(struct sample_batch *b, struct leb128_bytes codes);

/*
 * Read a byte of steps as runs: `length` samples, 1 or more, of which the last has this step, in units, and the
 * others have none.  False if there is none, or if it is cut short or what no sender makes.  Any context.
 */
bool sample_unpack_run(struct leb128_bytes *steps, uint32_t *length, int64_t *step);

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
