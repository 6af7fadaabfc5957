/* SPDX-License-Identifier: MIT */
/*
 * The receiver's half of probe/stream/sample_pack.h: the places and steps of one PACKED_SAMPLES frame.  The bytes
 * may be anything: nothing is read past them.
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
