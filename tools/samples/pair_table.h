/* SPDX-License-Identifier: MIT */
/* Counts of unordered pairs of numbers, in a hash table that does not grow beyond a limit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pairs of places with low indexes, counted in a table of all combinations: most samples of a run are at few places,
 * and the table needs no hash.  Its counters have 8 bits, so that it fits in the cache of a processor; another table
 * counts how often each of them was full.
 */

#define NEAR_PLACES 1024u /* indexes in the table; a power of two */

struct near_pairs {
    uint8_t *count; /* by the first place and the second */
    uint32_t *full; /* times 256: the same */
};

/* Ends the program if there is no memory. */
struct near_pairs near_pairs_new(void);
void near_pairs_free(struct near_pairs *n);

/* Count a pair, `one` before `other`, both below NEAR_PLACES. */
static inline void near_pairs_add(const struct near_pairs *n, uint32_t one, uint32_t other)
{
    if (!++n->count[one * NEAR_PLACES + other])
        n->full[one * NEAR_PLACES + other]++;
}

/* How often two places, in any order, made a pair. */
static inline uint64_t near_pairs_of(const struct near_pairs *n, uint32_t one, uint32_t other)
{
    const uint32_t there = one * NEAR_PLACES + other, back = other * NEAR_PLACES + one;

    return ((uint64_t)n->full[there] + n->full[back]) * 256 + n->count[there] + n->count[back];
}

struct place_pair;

struct pair_table { /* all zeros: empty */
    struct place_pair *slot; /* count 0: free */
    size_t room, count;      /* `room` is a power of two */
};

/* Add to the count of a pair; false if it has none and there are `most` of them. */
bool pair_table_add(struct pair_table *t, uint32_t a, uint32_t b, uint64_t count, size_t most);
