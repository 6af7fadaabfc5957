/* SPDX-License-Identifier: MIT */
/* The frames that an encoder made, to be opened again in any order; the random numbers that chose what is in them. */
#pragma once

#include <string.h>

#include "probe/schedule/splitmix64.h"
#include "probe/stream/wire.h"

#define SENT_FRAMES 4096u

static struct sent_frames {
    struct {
        uint8_t bytes[WIRE_FRAME_MAX];
        size_t length;
    } frame[SENT_FRAMES];
    uint32_t frames;
    size_t bytes; /* of all frames, with their zeros */
    uint64_t random;
} sent;

static inline void sent_begin(void)
{
    memset(&sent, 0, sizeof sent);
}

static inline uint64_t below(uint64_t n)
{
    return splitmix64_mix(sent.random += SPLITMIX64_GAMMA) % n;
}

/* What an encoder calls with each frame. */
static inline void sent_take(void *context, struct wire_writer *w)
{
    (void)context;
    assert_in_range(sent.frames, 0, SENT_FRAMES - 1);
    sent.frame[sent.frames].length = wire_end(w, (uint16_t)sent.frames, sent.frame[sent.frames].bytes);
    assert_int_not_equal(sent.frame[sent.frames].length, 0);
    sent.bytes += sent.frame[sent.frames++].length;
}

/* Open a copy of frame i, in `copy` of WIRE_FRAME_MAX. */
static inline bool sent_open(uint32_t i, struct wire_reader *r, uint8_t *copy)
{
    memcpy(copy, sent.frame[i].bytes, sent.frame[i].length);
    return wire_open(r, copy + 1, sent.frame[i].length - 2) == WIRE_INTACT;
}

/* A frame of a head that no encoder made, in `bytes` of WIRE_FRAME_MAX. */
static inline void sent_wrong(enum wire_type type, const void *head, struct wire_reader *r, uint8_t *bytes)
{
    struct wire_writer w;

    wire_begin(&w, type, head);
    assert_int_equal(wire_open(r, bytes + 1, wire_end(&w, 0, bytes) - 2), WIRE_INTACT);
}
