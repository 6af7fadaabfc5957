/* SPDX-License-Identifier: MIT */
/* Counts the intact records of a stream that comes in pieces, for the tests of what writes one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/stream/frame_decoder.h"

struct record_count {
    struct frame_decoder decoder; /* the caller initialises it */
    uint64_t records;
};

/*
 * Take the next bytes; a writer calls it with its `context`.  Always true:
 * no more can be wrong than the decoder counts.
 */
static inline bool record_count_take(void *context, const uint8_t *bytes, size_t length)
{
    struct record_count *r = context;
    struct stream_event event;

    for (size_t at = 0; at < length;) {
        at += decoder_feed(&r->decoder, bytes + at, length - at, &event);
        r->records += event.kind == STREAM_RECORD;
    }
    return true;
}
