/* SPDX-License-Identifier: MIT */
/*
 * Adds samples up by place and by pair of places, in bounded memory: what profiles and entropies are made from.
 * Indexes may get their meaning after their samples, so sums are by index and become places at the end.
 *
 * What has no room is counted and never guessed: a sample of a place without room is one whose place is not known,
 * which widens intervals; a pair without room counts as a change of both of its places, which widens them too.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/samples/place_index.h"
#include "tools/samples/sample_order.h"

#define SUMS_FULL  131072u /* places told in full that are told apart */
#define SUMS_PAIRS 393216u /* pairs of places that are told apart */

struct place_sum {
    struct sample_place place;
    uint64_t hits;    /* above 0 */
    uint64_t changes; /* of pairs with another place that are in no element of pair[] */
};

/* Two different places that are known, in no order: how many pairs of samples were at the one and the other. */
struct place_pair {
    uint32_t a, b; /* indexes in place[] */
    uint64_t count;
};

struct sample_sums { /* after sample_sums_finish(): */
    struct place_sum *place; /* places that are known once each; told indexes first */
    size_t places;
    struct place_pair *pair;
    size_t pairs;
    uint64_t in_handler; /* points that fell into handlers of ticks: they are in no place and no pair */
    uint64_t unresolved; /* samples whose place is not known, */
    uint64_t crowded;    /* of these: because there was no room */
    uint64_t blurred;    /* pairs that had no room */
    void *adding;        /* private; NULL after the end */
};

struct sample_sums *sample_sums_new(void);
void sample_sums_free(struct sample_sums *s);

void sample_sums_add(struct sample_sums *s, const struct sample_stretch *stretch);

/* No sample follows; what indexes mean is known. */
void sample_sums_finish(struct sample_sums *s, const struct place_index *index);

/* Bytes of memory after the end. */
size_t sample_sums_bytes(const struct sample_sums *s);
