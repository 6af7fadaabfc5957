/* SPDX-License-Identifier: MIT */
/*
 * Random numbers for the policies, from either generator of a schedule.  Inline for the
 * same reason as probe/schedule/carta.h, which the choice of generator does not slow down.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/schedule/carta.h"
#include "probe/schedule/schedule.h"

/* Compute the block that holds word s->generator of the key stream into s->block.  Any context. */
void draw_block(struct schedule *s);

/*
 * The next words of the key stream: at least one and at most `count`, which is 1 or
 * more.  Stores their number in `count`.  They are in `room` or in s->block.  Does not
 * advance s->generator.  Task or host context, because of chacha8_four().
 */
const uint32_t *draw_words(struct schedule *s, uint32_t room[CHACHA8_FOUR], unsigned *count);

/* Scale a word of the key stream to a number on [0, width), width at most 2^32. */
static inline uint64_t draw_scale(uint32_t word, uint64_t width)
{
    return word * width >> 32;
}

/*
 * Draw a number uniform on [0, width), width at most 2^32, and advance the generator.
 * Any context.  Multiplies and shifts: no division.
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

/* Draw one number for draw_steps(): from the next word if `keyed`, else from Carta's next state. */
static inline __attribute__((always_inline)) uint64_t draw_next(const uint32_t **word, uint32_t *state,
                                                                uint64_t width, bool keyed)
{
    return keyed ? draw_scale(*(*word)++, width) : carta_below(state, width);
}

/*
 * The loops of draw_run(): from these words if `keyed`, else from Carta's generator.  Four
 * at a time, because with link-time optimization the compiler unrolls no other loop.
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
 * Make `count` intervals of a policy whose step() makes each from one number on
 * [0, width).  Inline, and without a call between two intervals, so that the schedule
 * stays in registers.  Task or host context.
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
