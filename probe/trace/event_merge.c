/* SPDX-License-Identifier: MIT */
/* A merge from the end, so that it stops where the first late event has its place. */
#include "probe/trace/event_merge.h"

/* The first record that may be moved. */
static uint64_t first_of(const struct event_ring *r)
{
    const uint64_t kept = r->put > r->slots + 1 ? r->put - (r->slots + 1) : 0;

    return r->taken > kept ? r->taken : kept;
}

static struct event_record *slot(struct event_ring *r, uint64_t number)
{
    return &r->record[number & r->slots];
}

void event_ring_merge_last(struct event_ring *r, uint64_t records, struct event_record *room)
{
    const uint64_t first = first_of(r);
    uint64_t to = r->put, early, late = records;

    if (records > r->put - first) /* some of them are overwritten: all that is left is theirs */
        return;
    early = r->put - records;
    for (uint64_t i = 0; i < records; i++)
        room[i] = *slot(r, early + i);
    while (late != 0)
        if (early != first && slot(r, early - 1)->time > room[late - 1].time)
            *slot(r, --to) = *slot(r, --early);
        else
            *slot(r, --to) = room[--late];
}
