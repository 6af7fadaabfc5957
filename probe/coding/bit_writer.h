/* SPDX-License-Identifier: MIT */
/* Bits into bytes, low bits first.  The caller owns the bytes and has room for them.  Any context. */
#pragma once

#include <stdint.h>

/* All zero but `at` to begin. */
struct bit_writer {
    uint8_t *at;      /* where the next whole byte goes */
    uint32_t bits;    /* not written yet */
    unsigned pending; /* how many, 0 .. 7 between two calls */
};

/* Append the low `length` bits of `value`, which has no others; at most 24. */
static inline void bit_writer_put(struct bit_writer *w, uint32_t value, unsigned length)
{
    w->bits |= value << w->pending;
    for (w->pending += length; w->pending >= 8; w->pending -= 8) {
        *w->at++ = (uint8_t)w->bits;
        w->bits >>= 8;
    }
}

/* Fill the last byte with zeros, and begin a new one. */
static inline void bit_writer_align(struct bit_writer *w)
{
    if (w->pending != 0)
        *w->at++ = (uint8_t)w->bits;
    w->bits = w->pending = 0;
}
