/* SPDX-License-Identifier: MIT */
/* The sender of events: codes, differences of times, and the order in which frames are sent. */
#include "probe/stream/event_encode.h"

#include "probe/coding/column_pack.h"
#include "probe/coding/leb128.h"
#include "probe/schedule/memory.h"

/* Most bytes of one more event: class and index, with the bits that they may begin; key in full; step. */
#define EVENT_LONGEST (3 + 1 + LEB128_MOST + STEP_BYTES_MOST)

static bool put_key(void *context, uint32_t index)
{
    struct event_encoder *s = context;
    const struct dictionary_key *k = &s->keys.key[index];
    const struct wire_event_keys_row row = {.index = index, .class = k->kind, .argument = k->value};

    return wire_row(&s->frame, WIRE_EVENT_KEYS, &row);
}

static void send_keys(struct event_encoder *s)
{
    const struct wire_event_keys head = {.epoch = s->request.epoch};

    wire_begin(&s->frame, WIRE_EVENT_KEYS, &head);
    dictionary_define(&s->keys, put_key, s);
    s->request.send(s->request.context, &s->frame);
}

static void pack(struct event_encoder *s)
{
    uint32_t codes = index_pack(&s->classes, s->index, (uint32_t)s->head.count, s->packed);

    memcpy(s->packed + codes, s->full, s->fulls);
    codes += s->fulls;
    if (s->steps.count != 0)
        codes += step_list_write(&s->steps, &s->classes, s->packed + codes, s->packed + PACK_HEAD - 1);
    s->head.codes = (struct wire_text){(const char *)s->packed, codes};
}

static void send_events(struct event_encoder *s)
{
    s->head.lost = s->lost;
    s->head.lost_time = s->lost_time;
    if (s->head.count != 0)
        pack(s);
    wire_begin(&s->frame, WIRE_PACKED_EVENTS, &s->head);
    s->request.send(s->request.context, &s->frame);
    s->head.count = 0;
    s->bits = s->fulls = 0;
    step_list_begin(&s->steps);
}

static void send_new_keys(struct event_encoder *s)
{
    while (s->keys.defined < s->keys.count)
        send_keys(s);
}

/*
 * Send the definitions that the frame needs, the frame of events, then older definitions again if there are enough
 * for a frame.  A reader that follows the stream cannot go back: it has to have each definition before its first use.
 */
static void close_frame(struct event_encoder *s)
{
    if (s->head.count == 0)
        return;
    send_new_keys(s);
    send_events(s);
    dictionary_credit_frame(&s->keys);
    if (dictionary_frame_due(&s->keys))
        send_keys(s);
}

/* A frame begins with the full time of its first event and with the task that runs. */
static void begin_frame(struct event_encoder *s, uint64_t time)
{
    s->time = time != 0 ? time : 1; /* 0 means that the events have no times */
    s->head = (struct wire_packed_events){
        .epoch = s->request.epoch,
        .first = s->number,
        .time = s->request.unit != 0 ? s->time : 0,
        .unit = s->request.unit,
        .task = s->task,
    };
}

static void put_key_of(struct event_encoder *s, const struct trace_event *e)
{
    const struct dictionary_key key = {.value = e->argument, .kind = e->class};
    const uint32_t at = (uint32_t)s->head.count, index = dictionary_index(&s->keys, &key);

    s->index[at] = index == DICTIONARY_NONE ? PACK_NO_INDEX : (uint16_t)index;
    s->bits += index_pack_bits(s->index[at], at == 0 ? PACK_NO_INDEX : s->index[at - 1]);
    if (index != DICTIONARY_NONE)
        return;
    s->full[s->fulls++] = e->class;
    s->fulls += leb128_put(s->full + s->fulls, e->argument);
}

static void put_step(struct event_encoder *s, uint64_t time)
{
    const uint64_t unit = s->request.unit;
    const int64_t step = unit_steps((int64_t)(time - s->time), unit);

    step_list_put(&s->steps, step);
    s->time += (uint64_t)step * unit;
}

static bool has_room(const struct event_encoder *s)
{
    return s->head.count < EVENT_FRAME_MAX &&
           PACK_HEAD + 2 + s->bits / 8 + s->fulls + step_list_most(&s->steps) + EVENT_LONGEST <= EVENT_CODES_MAX;
}

void event_encoder_begin(struct event_encoder *s, const struct event_encoder_request *request, uint64_t task)
{
    memset(s, 0, sizeof *s);
    s->request = *request;
    s->task = task;
}

void event_encoder_put(struct event_encoder *s, const struct trace_event *e)
{
    if (!has_room(s))
        close_frame(s);
    if (s->head.count == 0)
        begin_frame(s, e->time);
    else if (s->request.unit != 0)
        put_step(s, e->time);
    put_key_of(s, e);
    if (e->class == TRACE_SWITCH || e->class == TRACE_CONTINUE)
        s->task = e->argument;
    s->head.count++;
    s->number++;
}

void event_encoder_skip_to(struct event_encoder *s, uint64_t number, uint64_t task)
{
    close_frame(s);
    s->number = number;
    s->task = task;
}

void event_encoder_lost(struct event_encoder *s, uint64_t lost, uint64_t time)
{
    s->lost = lost;
    s->lost_time = time;
}

void event_encoder_flush(struct event_encoder *s)
{
    close_frame(s);
    send_new_keys(s);
}

/* An empty frame sends the number of all events. */
void event_encoder_end(struct event_encoder *s)
{
    close_frame(s);
    begin_frame(s, 0);
    s->head.time = 0;
    send_events(s);
    dictionary_repeat_all(&s->keys);
    event_encoder_flush(s);
}

/* Counters of events, read at one moment and written as a frame. */

void event_counts_read(struct event_counts *to, const struct event_ring *ring, uint64_t now, uint64_t start)
{
    const uint64_t first_lost = ring->lost_time != 0 ? ring->lost_time : ring->since.time;

    to->head.time = now - start;
    to->head.recorded = ring->put;
    to->head.overwritten = event_ring_overwritten(ring);
    to->head.lost = ring->lost;
    to->head.lost_time = ring->lost == 0 ? 0 : first_lost - start;
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        to->count[class] = ring->count[class];
}

void event_counts_write(struct wire_writer *frame, const struct event_counts *counts)
{
    wire_begin(frame, WIRE_EVENT_COUNTS, &counts->head);
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (counts->count[class] != 0)
            wire_row(frame, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){ class, counts->count[class] });
}
