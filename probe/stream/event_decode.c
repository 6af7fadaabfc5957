/* SPDX-License-Identifier: MIT */
/*
 * The head of a frame of events, and the codes of EVENTS, as senders before 0.9 sent them: for each event 0xfe, only
 * where its time is before that of the last one; the bytes of its index, or 0xff, class and argument; the difference
 * to the time before.  The input may be damaged in a way that the checksum did not
 * detect, so every read is bounded by the frame's own bytes.
 */
#include "probe/stream/event_decode.h"

#include "probe/coding/leb128.h"
#include "probe/stream/event_unpack.h"

#define EVENT_BACK 0xfe /* the time goes back; the code of the event follows */

bool event_read_key(const struct wire_event_keys_row *row, struct event_key *key)
{
    *key = (struct event_key){.argument = row->argument, .class = (uint8_t)row->class};
    return row->index < DICTIONARY_MAX && row->class <= UINT8_MAX && row->argument <= TRACE_ARGUMENT_MAX;
}

/* The code of an event, without its time; EVENT_BACK was read before. */
static bool get_code(struct event_sent *e, struct leb128_bytes *codes)
{
    uint32_t first;

    *e = (struct event_sent){0};
    if (codes->at == codes->end)
        return false;
    first = *codes->at++;
    if (first == DICTIONARY_FULL)
        return event_unpack_key(e, codes);
    e->index = first - 1;
    if (first == 0 || first == EVENT_BACK)
        return false;
    if (first < DICTIONARY_LONG)
        return true;
    if (codes->at == codes->end)
        return false;
    e->index = DICTIONARY_SHORT + ((first - DICTIONARY_LONG) << 8) + *codes->at++;
    return e->index < DICTIONARY_MAX;
}

/* The time of the next event from that of the last, *now.  No product and no sum leaves the range. */
static bool get_time(uint64_t *now, uint64_t unit, bool back, struct leb128_bytes *codes)
{
    uint64_t steps;

    if (!leb128_get(codes, &steps))
        return false;
    if (__builtin_mul_overflow(steps, unit, &steps) || steps >= EVENT_TIME_MAX || (back && steps > *now))
        return false;
    *now += back ? -steps : steps;
    return *now < EVENT_TIME_MAX;
}

static bool get_event(struct event_sent *e, uint64_t *now, uint64_t unit, struct leb128_bytes *codes)
{
    const bool back = codes->at != codes->end && *codes->at == EVENT_BACK;

    codes->at += back;
    if (!get_code(e, codes) || (back && unit == 0))
        return false;
    if (unit != 0 && !get_time(now, unit, back, codes))
        return false;
    e->time = *now;
    return true;
}

/* The numbers of the head, as far as they can be checked alone. */
static bool get_head(struct event_batch *b, const struct wire_events *head)
{
    b->first = head->first;
    b->lost = head->lost;
    b->lost_time = head->lost_time;
    b->unit = head->unit;
    b->task = head->task;
    b->count = (uint32_t)head->count;
    return head->first < EVENT_NUMBER_MAX && head->lost < EVENT_NUMBER_MAX && head->task <= TRACE_ARGUMENT_MAX &&
           head->count <= EVENT_FRAME_MAX && head->time < EVENT_TIME_MAX && head->unit < EVENT_TIME_MAX &&
           (head->count == 0 || (head->unit == 0) == (head->time == 0));
}

static bool get_events(struct event_batch *b, const struct wire_events *head)
{
    struct leb128_bytes codes = wire_bytes_of(head->codes);
    uint64_t now = head->time;

    for (uint32_t i = 0; i < b->count; i++)
        if (!get_event(&b->event[i], &now, b->unit, &codes))
            return false;
    return codes.at == codes.end;
}

_Static_assert(sizeof(struct wire_packed_events) == sizeof(struct wire_events), "they have the same fields");

bool event_decode(struct event_batch *b, struct wire_reader *r)
{
    const bool packed = r->type == WIRE_PACKED_EVENTS;
    struct wire_events head; /* of either */
    bool whole = event_is_frame(r->type) && wire_read_head(r, &head) && get_head(b, &head);

    if (whole && packed && b->count != 0)
        whole = event_unpack(b, head.time, wire_bytes_of(head.codes));
    else if (whole)
        whole = get_events(b, &head);
    if (!whole)
        b->count = 0;
    return whole;
}
