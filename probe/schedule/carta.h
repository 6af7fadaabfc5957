/* SPDX-License-Identifier: MIT */
/*
 * The minimal-standard generator x' = 16807 x mod 2^31-1 without a division:
 * Carta, CACM 33(1), 1990, as McCanne and Torek use it.  Its 31 bits of state are
 * enough for the paper's experiments, but anyone who sees a few outputs can compute
 * the state.
 */
#pragma once

#include <stdint.h>

#include "probe/schedule/schedule.h"

#define CARTA_MODULUS    0x7fffffffu /* 2^31 - 1, a prime */
#define CARTA_MULTIPLIER 16807u

/* Fold any number into a state, 1 .. 2^31-2.  Any context. */
uint32_t carta_seed(uint64_t number);

/*
 * The first state of the stream of a seed of any 64 bits: one of 2^31 - 2 states.  The
 * seed is scrambled, because two streams of this generator are multiples of each other:
 * unscrambled, the streams of seeds 1, 2, 3 would be u, 2 u mod 1, 3 u mod 1, and runs
 * that should be independent would not be.  Any context.
 */
uint32_t carta_start(uint64_t seed);

/*
 * The functions below are inline because each sample costs the length of the tick
 * handler: a call would double their time.
 */

/*
 * The state after `state`, 1 .. 2^31-2.  Any context.  2^31 is 1 modulo 2^31-1, so
 * the bits from 31 up are added to the low 31 bits.  The sum is at most 2^31-1 + 16806,
 * so one subtraction is enough; the result is never 0 because the modulus is prime.
 */
static inline uint32_t carta_next(uint32_t state)
{
    uint64_t product = (uint64_t)CARTA_MULTIPLIER * state;
    uint32_t folded = (uint32_t)((product & CARTA_MODULUS) + (product >> 31));

    return folded < CARTA_MODULUS ? folded : folded - CARTA_MODULUS;
}

/* Multipliers of the states after the second, third and fourth step. */
#define CARTA_SECOND 282475249u
#define CARTA_THIRD  1622650073u
#define CARTA_FOURTH 984943658u

/*
 * The state several steps after `state`, for callers that draw many: `multiplier` is one
 * of the three above.  The first sum is below 2^32 here too.  The second sum replaces the
 * subtraction, because the first is never the modulus itself.  Any context.
 */
static inline uint32_t carta_jump(uint32_t state, uint32_t multiplier)
{
    uint64_t product = (uint64_t)multiplier * state;
    uint32_t folded = (uint32_t)((product & CARTA_MODULUS) + (product >> 31));

    return (folded & CARTA_MODULUS) + (folded >> 31);
}

/* Scale a state to a number on [0, width), width at most 2^32, without a division. */
static inline uint64_t carta_scale(uint32_t state, uint64_t width)
{
    return state * width >> 31;
}

/*
 * Advance the state and return a number uniform on [0, width), width at most
 * 2^32.  Any context.
 */
static inline uint64_t carta_below(uint32_t *state, uint64_t width)
{
    *state = carta_next(*state);
    return carta_scale(*state, width);
}

/* Intervals of the stratified policy from Carta's generator, several strata at a time: the same as one by one. */

#define CARTA_STRATA 4u /* strata at a time */

/*
 * Draw the two intervals of each of `strata` strata, or of fewer: of a multiple of CARTA_STRATA, and of none where
 * the schedule's numbers are too large.  Returns of how many.  The schedule is stratified, not keyed, and at the
 * begin of a stratum; its `sum`, `second`, `next` and `pair` do not change.
 * Task or host context: it uses vector registers.
 */
unsigned carta_strata_run(struct schedule *s, uint64_t *interval, unsigned strata);
