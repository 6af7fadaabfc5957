/* SPDX-License-Identifier: MIT */
/* A sender counts the frames of its epoch by these, and tells the counts in SENT (docs/PROTOCOL.md, "Loss"). */
#pragma once

#include "probe/stream/wire.h"

/* How many frames of this type were sent in the epoch; NULL: they have no numbers of their own. */
static inline uint64_t *sent_of_type(struct wire_sent *sent, enum wire_type type)
{
    switch (type) {
#define SENT_COUNT(NAME, name, count) case WIRE_##NAME: return &sent->count;
    WIRE_NUMBERED(SENT_COUNT)
#undef SENT_COUNT
    default: return NULL;
    }
}

/* Count a frame that is sent now, also if it finds no room; returns its sequence number. */
static inline uint16_t sent_count(struct wire_sent *sent, const struct wire_writer *w)
{
    uint64_t *const of_type = sent_of_type(sent, (enum wire_type)w->bytes[0]);

    if (of_type != NULL)
        ++*of_type;
    return (uint16_t)sent->frames++;
}
