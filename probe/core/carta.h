/* SPDX-License-Identifier: MIT */
/*
 * The minimal-standard generator x' = 16807 x mod 2^31-1 without a division:
 * Carta, CACM 33(1), 1990, as McCanne and Torek use it.  31 bits of state: good
 * for the paper's experiments, and worked out from a few outputs by whoever
 * sees them.
 */
#ifndef PROBE_CORE_CARTA_H
#define PROBE_CORE_CARTA_H

#include <stdint.h>

#define CARTA_MODULUS    0x7fffffffu /* 2^31 - 1, a prime */
#define CARTA_MULTIPLIER 16807u

/* Fold any number into a state, 1 .. 2^31-2.  Any context. */
uint32_t carta_seed(uint64_t number);

/*
 * The state that the stream of a seed begins with: one of 2^31 - 2, whatever the
 * seed has of bits.  Seeds are scrambled: two
 * streams of this generator are multiples of each other, so that the plain
 * streams of seeds 1, 2, 3 run in step (2 u mod 1, 3 u mod 1) and runs that
 * should be independent are not.  Any context.
 */
uint32_t carta_start(uint64_t seed);

/*
 * Those below are inline because the tick handler's length is the price of
 * every sample: a call would double it.
 */

/*
 * The state after `state`, 1 .. 2^31-2.  Any context.  2^31 is 1 modulo 2^31-1,
 * so what stands above bit 31 is added to what is below; that is at most
 * 2^31-1 + 16806, one subtraction is enough, and the prime never gives 0.
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
 * The state that one of these takes `state` to, without those between: for whoever
 * draws many.  The first sum is below 2^32 here too, and the second is the
 * subtraction, for the prime itself does not come up.  Any context.
 */
static inline uint32_t carta_jump(uint32_t state, uint32_t multiplier)
{
    uint64_t product = (uint64_t)multiplier * state;
    uint32_t folded = (uint32_t)((product & CARTA_MODULUS) + (product >> 31));

    return (folded & CARTA_MODULUS) + (folded >> 31);
}

/* A state as a number on [0, width), width at most 2^32.  Multiply and shift: no division. */
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

#endif
