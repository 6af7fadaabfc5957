/* SPDX-License-Identifier: MIT */
/*
 * Maps ranges of addresses that may lie within one another, flattened once so that each look-up is one binary
 * search: functions, lines, inlined functions.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t start, end; /* [start, end); empty ones are left out */
    size_t what;         /* the caller's number of the range, not RANGE_NONE */
};

#define RANGE_NONE SIZE_MAX

/* Each part ends where the next one begins. */
struct range_map {
    struct range_part {
        uint64_t start;
        size_t what; /* or RANGE_NONE */
    } *part;
    size_t parts;
};

/*
 * Make the map of `count` ranges; sorts them.  Where ranges overlap, the map gives the range that
 * begins last; of several, the shortest; of several, the one with the highest `what`.
 */
void range_map_build(struct range_map *m, struct range *range, size_t count);
void range_map_free(struct range_map *m);

/* The range at `address`, or RANGE_NONE; *end, if not NULL: the address up to which the answer is the same. */
size_t range_map_find(const struct range_map *m, uint64_t address, uint64_t *end);
