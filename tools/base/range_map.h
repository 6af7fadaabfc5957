/* SPDX-License-Identifier: MIT */
/*
 * Ranges of addresses that may lie within one another, flattened once so that
 * each look-up is one binary search: functions, lines, inlined functions.
 */
#ifndef TOOLS_BASE_RANGE_MAP_H
#define TOOLS_BASE_RANGE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t start, end; /* [start, end); empty ones are left out */
    size_t what;         /* the caller's number, not RANGE_NONE */
};

#define RANGE_NONE SIZE_MAX

/* Each part reaches to the next one. */
struct range_map {
    struct range_part {
        uint64_t start;
        size_t what; /* or RANGE_NONE */
    } *part;
    size_t parts;
};

/*
 * The map of `count` ranges, which are sorted on the way.  Where several lie
 * over each other the one that begins last holds; of those the shortest, of
 * those the highest `what`.
 */
void range_map_build(struct range_map *m, struct range *range, size_t count);
void range_map_free(struct range_map *m);

/* The range at `address`, or RANGE_NONE; *end, if not NULL: the address up to which the answer is the same. */
size_t range_map_find(const struct range_map *m, uint64_t address, uint64_t *end);

#endif
