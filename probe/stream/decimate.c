/* SPDX-License-Identifier: MIT */
/*
 * The choice of the ticks of a thinned stream: a hash of seed and block, so that
 * any block can be asked for and nothing has to be kept.
 */
#include "probe/stream/decimate.h"

#include "probe/core/splitmix64.h"

/* The seed is mixed by itself first: blocks of seeds 1 and 2 would else be neighbours. */
static uint64_t draw(uint64_t block, uint64_t seed)
{
    return splitmix64_mix(splitmix64_mix(seed + SPLITMIX64_GAMMA) + (block + 1) * SPLITMIX64_GAMMA);
}

uint64_t decimate_tick(uint64_t number, uint32_t factor, uint64_t seed)
{
    const uint64_t block = number >> 1, ticks = 2 * (uint64_t)factor;
    uint64_t random, a, b;

    if (factor <= 1)
        return number;
    random = draw(block, seed);
    a = (random & 0xffffffff) * ticks >> 32;
    b = (random >> 32) * (ticks - 1) >> 32;
    b += b >= a; /* one of the others, each as likely */
    return block * ticks + ((number & 1) == (a < b) ? b : a);
}
