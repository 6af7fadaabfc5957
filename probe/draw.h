/* SPDX-License-Identifier: MIT */
/*
 * What the policies draw: numbers of a schedule's generator, whichever that is.
 * Inline for the same reason as probe/carta.h, of which nothing is slower by it.
 */
#ifndef PROBE_DRAW_H
#define PROBE_DRAW_H

#include <stdint.h>

#include "probe/carta.h"
#include "probe/schedule.h"

/* Have the block at hand that holds word s->generator of the key stream.  Any context. */
void draw_block(struct schedule *s);

static inline uint32_t draw_keyed(struct schedule *s)
{
    const unsigned at = s->generator % CHACHA8_WORDS;

    if (at == 0)
        draw_block(s);
    s->generator++;
    return s->block[at];
}

/*
 * A number uniform on [0, width), width at most 2^32; the generator goes on.  Any
 * context.  Multiply and shift: no division.
 */
static inline uint64_t draw_below(struct schedule *s, uint64_t width)
{
    if (__builtin_expect(s->keyed, 0))
        return draw_keyed(s) * width >> 32;
    s->generator = carta_next((uint32_t)s->generator);
    return carta_scale((uint32_t)s->generator, width);
}

#endif
