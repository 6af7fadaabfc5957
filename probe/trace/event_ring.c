/* SPDX-License-Identifier: MIT */
/* The buffer of events and their counters. */
#include "probe/trace/event_ring.h"

#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"

void event_ring_begin(struct event_ring *r, const struct event_ring_request *request)
{
    memset(r, 0, sizeof *r);
    r->mode = request->mode;
    r->record = request->record;
    r->slots = request->records - 1;
    r->limit = r->mode == EVENT_RING_OVERWRITE ? UINT64_MAX : r->mode == EVENT_RING_COUNT ? 0 : request->records;
    r->timed = r->mode == EVENT_RING_COUNT ? 0 : UINT32_MAX;
    r->plain = r->timed;
    for (unsigned class = 0; class < 32; class++)
        r->site[class] = (struct event_site){0, UINT64_MAX};
}

void event_ring_set_site(struct event_ring *r, uint32_t classes, uint64_t low, uint64_t high)
{
    for (unsigned class = 0; class < 32; class++)
        if (classes >> class & 1)
            r->site[class] = (struct event_site){low, high - low};
    r->plain &= ~classes;
    r->sited = true;
}

void event_ring_close_sites(struct event_ring *r, uint32_t classes)
{
    event_ring_set_site(r, classes, UINT64_MAX, UINT64_MAX); /* no instruction is there */
}

void event_ring_open_sites(struct event_ring *r, uint32_t classes)
{
    event_ring_set_site(r, classes, 0, UINT64_MAX);
    r->plain |= classes & r->timed;
}

static inline void append(struct event_ring *r, uint64_t time, uint64_t code)
{
    struct event_record *const to = &r->record[r->put++ & r->slots];

    to->time = time;
    to->code = code;
}

static __attribute__((cold, noinline)) void lose(struct event_ring *r, uint64_t time)
{
    if (r->lost++ == r->told)
        r->since.time = time;
}

__attribute__((noinline)) void event_ring_record(struct event_ring *r, uint64_t time, uint64_t code)
{
    if (r->put != r->limit)
        append(r, time, code);
    else
        lose(r, time);
}

void event_ring_control(struct event_ring *r, uint64_t time, enum trace_class class, uint64_t argument)
{
    if (r->mode == EVENT_RING_COUNT)
        return;
    r->count[class]++;
    event_ring_record(r, time, event_record_code(class, argument));
}

uint64_t event_ring_overwritten(const struct event_ring *r)
{
    return r->mode == EVENT_RING_OVERWRITE && r->put > r->slots + 1 ? r->put - (r->slots + 1) : 0;
}

/*
 * Where events are missing an event says so, between the last one before them and the first one
 * after them: while any are not told, `limit` has stood still and nothing was recorded.
 */
static void tell_lost(struct event_ring *r)
{
    if (r->lost == r->told)
        return;
    if (r->lost_time == 0)
        r->lost_time = r->since.time;
    append(r, r->since.time, event_record_code(TRACE_LOST, r->lost - r->told));
    r->told = r->lost;
}

/*
 * Make room for producers.  After a loss not before half is free:
 * stretches that are whole tell more than single events.
 */
static void raise_limit(struct event_ring *r)
{
    if (r->lost != r->told && r->put - r->taken > (r->slots + 1) / 2)
        return;
    tell_lost(r);
    r->limit = r->taken + r->slots + 1;
}

void event_ring_freeze(struct event_ring *r, unsigned kept)
{
    const uint64_t limit = r->put + divide64((r->slots + 1) * (100 - kept), 100);

    if (r->mode == EVENT_RING_OVERWRITE && limit < r->limit)
        r->limit = limit;
}

void event_ring_release(struct event_ring *r)
{
    tell_lost(r);
    r->limit = r->mode == EVENT_RING_OVERWRITE ? UINT64_MAX : r->taken + r->slots + 1;
}

bool event_ring_take(struct event_ring *r, struct event_record *to)
{
    const uint64_t first = event_ring_overwritten(r);

    if (r->taken < first)
        r->taken = first;
    if (r->taken == r->put && r->mode != EVENT_RING_OVERWRITE)
        tell_lost(r);
    if (r->taken == r->put)
        return false;
    *to = r->record[r->taken++ & r->slots];
    if (r->mode == EVENT_RING_STREAM)
        raise_limit(r);
    return true;
}

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

/* From the end, so that it stops where the first late event has its place. */
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
