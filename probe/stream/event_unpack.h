/* SPDX-License-Identifier: MIT */
/*
 * The receiver's half of probe/stream/event_pack.h: the events of one PACKED_EVENTS frame.
 * The bytes may be anything.
 */
#pragma once

#include <stdbool.h>

#include "probe/coding/leb128.h"
#include "probe/stream/event_decode.h"

/* Read a key in full: class and argument.  False if it is cut short or cannot be.  Any context. */
bool event_unpack_key(struct event_sent *e, struct leb128_bytes *codes);

/*
 * Fill event[] of a batch of b->count events, at least 1, of which the first is at `time` (0: they have none).  False
 * if no sender makes such codes.  Any context; reads nothing past them.
 */
bool event_unpack(struct event_batch *b, uint64_t time, struct leb128_bytes codes);
