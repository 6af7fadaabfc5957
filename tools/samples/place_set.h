/* SPDX-License-Identifier: MIT */
/* Places of raw samples, numbered from 0 in the order in which they first came. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/sample_decode.h"

struct place_set { /* all zeros: empty */
    struct sample_location *where; /* by number */
    uint32_t *slot;                /* number + 1; 0: free */
    size_t count, room;            /* `room` is the number of slots, a power of two; at most half are used */
};

/* The number of a place, which is added if it is new. */
uint32_t place_set_number(struct place_set *set, const struct sample_location *w);

bool place_set_has(const struct place_set *set, const struct sample_location *w);

void place_set_free(struct place_set *set);

bool place_is_same(const struct sample_location *a, const struct sample_location *b);
