/* SPDX-License-Identifier: MIT */
/*
 * Chooses the ticks of a decimated stream by a hash of seed and block, so that the
 * ticks of any block can be computed without stored state.
 */
#include "probe/stream/decimate.h"

#include "probe/schedule/splitmix64.h"

/* The seed is mixed first; else the blocks of seeds 1 and 2 would be hashes of adjacent numbers. */
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
    b += b >= a; /* one of the other ticks, each with the same probability */
    return block * ticks + ((number & 1) == (a < b) ? b : a);
}
