/* SPDX-License-Identifier: MIT */
/*
 * What the policies draw: numbers of a schedule's generator, whichever that is.
 * Inline for the same reason as probe/core/carta.h, of which nothing is slower by it.
 */
#ifndef PROBE_CORE_RNG_DRAW_H
#define PROBE_CORE_RNG_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/carta.h"
#include "probe/core/schedule.h"

/* Have the block at hand that holds word s->generator of the key stream.  Any context. */
void draw_block(struct schedule *s);

/*
 * The next words of the key stream, at least one and at most `count` where that is
 * 1 or more; says in `count` how many.  They are in `room` or in the schedule, whose
 * generator is left where it is.  Task or host context: chacha8_four().
 */
const uint32_t *draw_words(struct schedule *s, uint32_t room[CHACHA8_FOUR], unsigned *count);

/* A word of the key stream as a number on [0, width), width at most 2^32. */
static inline uint64_t draw_scale(uint32_t word, uint64_t width)
{
    return word * width >> 32;
}

/*
 * A number uniform on [0, width), width at most 2^32; the generator goes on.  Any
 * context.  Multiply and shift: no division.
 */
static inline uint64_t draw_below(struct schedule *s, uint64_t width)
{
    if (__builtin_expect(s->keyed, 0)) {
        if (s->generator % CHACHA8_WORDS == 0)
            draw_block(s);
        return draw_scale(s->block[s->generator++ % CHACHA8_WORDS], width);
    }
    s->generator = carta_next((uint32_t)s->generator);
    return carta_scale((uint32_t)s->generator, width);
}

/* A number of draw_steps(): by the next word, or where there is none by the next state. */
static inline __attribute__((always_inline)) uint64_t draw_next(const uint32_t **word, uint32_t *state, uint64_t width, bool keyed)
{
    return keyed ? draw_scale(*(*word)++, width) : carta_below(state, width);
}

/*
 * The loops of draw_run(), by these words where `keyed`, else by Carta's generator.  Four
 * at a time: the compiler unrolls no other loop when it links the whole program.
 */
static inline __attribute__((always_inline)) void
draw_steps(struct schedule *restrict s, uint64_t *restrict interval, unsigned count, uint64_t width,
           uint64_t (*step)(struct schedule *s, uint64_t number), const uint32_t *word, bool keyed)
{
    uint32_t state = (uint32_t)s->generator;

    for (; count >= 4; count -= 4) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            *interval++ = step(s, draw_next(&word, &state, width, keyed));
    }
    for (; count > 0; count--)
        *interval++ = step(s, draw_next(&word, &state, width, keyed));
    if (!keyed)
        s->generator = state;
}

/*
 * Intervals at once, of a policy whose step() makes each of one number on [0, width).
 * Inline, and with no call between two of them, so that the schedule stays in
 * registers.  Task or host context.
 */
static inline __attribute__((always_inline)) void
draw_run(struct schedule *restrict s, uint64_t *restrict interval, unsigned count, uint64_t width,
         uint64_t (*step)(struct schedule *s, uint64_t number))
{
    uint32_t room[CHACHA8_FOUR];

    if (!s->keyed) {
        draw_steps(s, interval, count, width, step, NULL, false);
        return;
    }
    while (count > 0) {
        unsigned ready = count;
        const uint32_t *const word = draw_words(s, room, &ready);

        draw_steps(s, interval, ready, width, step, word, true);
        s->generator += ready;
        interval += ready;
        count -= ready;
    }
}

#endif
