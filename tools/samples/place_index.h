/* SPDX-License-Identifier: MIT */
/*
 * Numbers the places of raw samples, and keeps what the indexes of places mean, from the PLACES frames of one
 * epoch (docs/PROTOCOL.md, "Raw samples").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"

/* Places of raw samples, numbered from 0 in the order in which they first came. */
struct place_set { /* all zeros: empty */
    struct sample_location *where; /* by number */
    uint32_t *slot;                /* number + 1; 0: free */
    size_t count, room;            /* `room` is the number of slots, a power of two; at most half are used */
};

/* The number of a place, which is added if it is new. */
uint32_t place_set_number(struct place_set *set, const struct sample_location *w);

bool place_set_has(const struct place_set *set, const struct sample_location *w);

void place_set_free(struct place_set *set);

struct sample_place {
    uint64_t pc;
    uint32_t task;
    enum mode mode;
    enum delay delay;
    bool masked; /* interrupts were off, which only ticks as NMI see */
    bool known; /* false: its PLACES row never arrived */
};

/* A hostile stream has thousands of epochs: memory grows with the highest index that was told. */
struct place_index { /* all zeros: none */
    struct place_meaning {
        struct sample_location where;
        bool defined;
    } *place;    /* by index */
    size_t room; /* at most SAMPLE_PLACES_MAX */
};

/*
 * Take a PLACES frame as a whole.  False, and nothing is taken, where it is not valid or gives an index another
 * meaning, which an image never does.
 */
bool place_index_add(struct place_index *p, struct wire_reader frame);

/* NULL: its meaning did not arrive. */
static inline const struct sample_location *place_index_find(const struct place_index *p, size_t index)
{
    return index < p->room && p->place[index].defined ? &p->place[index].where : NULL;
}

/* The point of such a sample fell into a handler of a tick. */
static inline bool place_is_dropped(const struct sample_location *where)
{
    return where->mode / SAMPLE_DELAY_STEP == DELAY_HANDLER;
}

/* The place that a location tells; interrupts were not off. */
struct sample_place sample_place_of(const struct sample_location *where);

void place_index_free(struct place_index *p);
