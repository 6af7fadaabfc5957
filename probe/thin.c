/* SPDX-License-Identifier: MIT */
/*
 * The choice of the ticks of a thinned stream: a hash of seed and block, so that
 * any block can be asked for and nothing has to be kept.
 */
#include "probe/thin.h"

/* The mixing function of SplitMix64: Steele, Lea and Flood, OOPSLA 2014, variant 13. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* The seed is mixed by itself first: blocks of seeds 1 and 2 would else be neighbours. */
static uint64_t draw(uint64_t block, uint32_t seed)
{
    return mix(mix(seed + 0x9e3779b97f4a7c15ull) + (block + 1) * 0x9e3779b97f4a7c15ull);
}

uint64_t thin_tick(uint64_t number, uint32_t factor, uint32_t seed)
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
