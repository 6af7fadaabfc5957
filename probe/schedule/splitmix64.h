/* SPDX-License-Identifier: MIT */
/*
 * The mixing function of SplitMix64: Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014, variant 13.
 */
#pragma once

#include <stdint.h>

/* 2^64 over the golden ratio: what to put between numbers to be mixed */
#define SPLITMIX64_GAMMA 0x9e3779b97f4a7c15ull

/* Each bit of the answer hangs on each of x; one to one.  Any context. */
static inline uint64_t splitmix64_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
