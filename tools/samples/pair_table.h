/* SPDX-License-Identifier: MIT */
/* Counts of unordered pairs of numbers, in a hash table that does not grow beyond a limit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place_pair;

struct pair_table { /* all zeros: empty */
    struct place_pair *slot; /* count 0: free */
    size_t room, count;      /* `room` is a power of two */
};

/* Add to the count of a pair; false if it has none and there are `most` of them. */
bool pair_table_add(struct pair_table *t, uint32_t a, uint32_t b, uint64_t count, size_t most);
