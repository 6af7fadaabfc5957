/* SPDX-License-Identifier: MIT */
/*
 * The head of a frame of events, and the codes of EVENTS, as senders before 0.9 sent them: for each event 0xfe, only
 * where its time is before that of the last one; the bytes of its index, or 0xff, class and argument; the difference
 * to the time before.  The input may be damaged in a way that the checksum did not
 * detect, so every read is bounded by the frame's own bytes.
 */
#include "probe/stream/event_decode.h"

#include <stdbool.h>

#include "probe/coding/column_unpack.h"
#include "probe/coding/leb128.h"

/* Keys and times of a frame are lists of indexes; what has none follows its list. */

#define LIST_ROOM (EVENT_FRAME_MAX + EVENT_FRAME_MAX % 2)

_Static_assert(EVENT_FRAME_MAX <= INDEX_FRAME_MAX && EVENT_TIME_MAX == STEP_END,
               "a frame's events are one list, and times end with steps");

/* Read a key in full: class and argument.  False if it is cut short or cannot be.  Any context. */
static bool event_unpack_key(struct event_sent *e, struct leb128_bytes *codes)
{
    e->index = DICTIONARY_NONE;
    if (codes->at == codes->end)
        return false;
    e->class = *codes->at++;
    return leb128_get(codes, &e->argument) && e->argument <= TRACE_ARGUMENT_MAX;
}

static bool get_keys(struct event_batch *b, struct leb128_bytes *codes, uint8_t *form)
{
    uint16_t index[LIST_ROOM];
    struct index_list list = {.index = index, .count = b->count};

    if (!index_unpack(&list, codes) || list.form >= STEP_FORMS)
        return false;
    *form = list.form;
    for (uint32_t i = 0; i < b->count; i++) {
        b->event[i] = (struct event_sent){.index = index[i]};
        if (index[i] >= DICTIONARY_MAX && !(index_is_full(&list, i) && event_unpack_key(&b->event[i], codes)))
            return false;
    }
    return true;
}

/* From the second event on. */
static bool add_steps(struct event_batch *b, uint64_t time, const int64_t *step)
{
    b->event[0].time = time;
    for (uint32_t i = 1; i < b->count; i++) {
        if (!step_add(&time, step[i - 1], b->unit))
            return false;
        b->event[i].time = time;
    }
    return true;
}

static bool get_times(struct event_batch *b, uint64_t time, uint8_t form, struct leb128_bytes *codes)
{
    int64_t step[EVENT_FRAME_MAX];
    const uint32_t count = b->count - 1;

    step[0] = 0;
    if (time == 0)
        return form == STEP_NUMBERS;
    return step_list_read(step, count, form, codes) && add_steps(b, time, step);
}

/*
 * Fill event[] of a batch of b->count events, at least 1, of which the first is at `time` (0: they have none).  False
 * if no sender makes such codes.  Any context; reads nothing past them.
 */
static bool event_unpack(struct event_batch *b, uint64_t time, struct leb128_bytes codes)
{
    uint8_t form;

    return get_keys(b, &codes, &form) && get_times(b, time, form, &codes) && codes.at == codes.end;
}

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
