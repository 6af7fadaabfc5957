/* SPDX-License-Identifier: MIT */
/*
 * Crowe's second case ("Applications of CPU probes"): a process that takes a quarter of the CPU whenever it runs, in
 * one function, which manipulates bits inside loops and is rarely needed.  Argument: 0 as it was found; 1 with a
 * cheap check whether it is needed; 2 and with its loops rearranged.
 */
#include <stdbool.h>

#include "kernel/abi/calls.h"

#define WORDS  512u /* of the map */
#define NEEDED 5u   /* a pass of so many has something to do */
#define TIMED  3u
#define SHARE  4u   /* a pass as it was found takes one part of so many of a period */

static uint64_t map[WORDS];
static uint64_t found; /* bits that were set */

/* A bit of every second word is set. */
static void fill(void)
{
    for (unsigned i = 0; i < WORDS; i += 2)
        map[i] = 1ull << i % 64;
}

/* Each bit of each word, by its number. */
__attribute__((noipa)) static void scan_bits(void)
{
    for (unsigned bit = 0; bit < 64; bit++)
        for (unsigned i = 0; i < WORDS; i++)
            if (map[i] >> bit & 1)
                found++;
}

/* The words with any, and of these the bits that are set. */
__attribute__((noipa)) static void scan_words(void)
{
    for (unsigned i = 0; i < WORDS; i++)
        for (uint64_t left = map[i]; left != 0; left &= left - 1)
            found++;
}

/* By the shortest of some passes: others may run in one. */
static uint64_t period_of(void)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < TIMED; i++) {
        const uint64_t begin = call(SYS_CLOCK, 0, 0);
        uint64_t took;

        scan_bits();
        took = call(SYS_CLOCK, 0, 0) - begin;
        least = took < least ? took : least;
    }
    return SHARE * least;
}

int main(uint64_t mended)
{
    uint64_t period, next;

    fill();
    period = period_of();
    next = call(SYS_CLOCK, 0, 0);
    for (uint64_t pass = 0;; pass++) {
        if (mended < 1 || pass % NEEDED == 0)
            mended < 2 ? scan_bits() : scan_words();
        next += period;
        call(SYS_UNTIL, next, 0);
    }
}
