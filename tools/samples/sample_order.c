/* SPDX-License-Identifier: MIT */
/* Frames that wait, sorted by number; a frame in order passes without a copy. */
#include "tools/samples/sample_order.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define MARK_BYTES (SAMPLE_FRAME_MAX / 8)

/* A frame that waits: its arrays stand behind it. */
struct held {
    uint64_t first, lost;
    uint32_t count;
    uint32_t untold; /* samples of which is not told whether interrupts were off */
    size_t bytes;
    bool timed;
    uint8_t told[MARK_BYTES], off[MARK_BYTES];
    struct sample_location *full;
    uint64_t *time;
    uint16_t *place;
    bool *pair;
};

/* What was told of samples that have not come. */
struct marks {
    uint64_t first;
    uint32_t count;
    uint8_t off[MARK_BYTES];
};

struct gap {
    uint64_t begin, end;
};

struct sample_order {
    sample_order_giver *give;
    void *context;
    bool expects_marks;
    bool begun;    /* a sample was given */
    uint64_t next; /* number after the last one that was given */
    uint64_t lost; /* samples that found no room before it */
    uint64_t twice, late;
    struct held *held[2 * ORDER_FRAMES]; /* from `at` on, `count` of them, by number, of equal ones by arrival */
    size_t at, count, bytes;
    struct marks *marks; /* a ring of ORDER_FRAMES */
    size_t mark_frames;  /* that were put into it */
    struct gap gap[ORDER_GAPS]; /* a ring */
    size_t gaps;
};

struct sample_order *sample_order_new(bool expects_marks, sample_order_giver *give, void *context)
{
    struct sample_order *o = xcalloc(1, sizeof(*o));

    o->expects_marks = expects_marks;
    o->give = give;
    o->context = context;
    return o;
}

void sample_order_free(struct sample_order *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->count; i++)
        free(o->held[o->at + i]);
    free(o->marks);
    free(o);
}

/* ---- giving ---- */

static void note_gap(struct sample_order *o, uint64_t begin, uint64_t end)
{
    o->gap[o->gaps++ % ORDER_GAPS] = (struct gap){begin, end};
}

/* Of these numbers, which are below `next`: how many were never given. */
static uint64_t in_gaps(const struct sample_order *o, uint64_t begin, uint64_t end)
{
    const size_t gaps = o->gaps < ORDER_GAPS ? o->gaps : ORDER_GAPS;
    uint64_t sum = 0;

    for (size_t i = 0; i < gaps; i++) {
        const uint64_t from = o->gap[i].begin > begin ? o->gap[i].begin : begin;
        const uint64_t to = o->gap[i].end < end ? o->gap[i].end : end;

        sum += from < to ? to - from : 0;
    }
    return sum;
}

static void count_old(struct sample_order *o, uint64_t begin, uint64_t end)
{
    const uint64_t late = in_gaps(o, begin, end);

    o->late += late;
    o->twice += end - begin - late;
}

/* Give what is new of a stretch that begins at the frame's first sample. */
static void give(struct sample_order *o, struct sample_stretch *s, uint64_t lost)
{
    const uint64_t end = s->first + s->count;
    const uint64_t begin = s->first > o->next ? s->first : end < o->next ? end : o->next;
    const uint32_t old = (uint32_t)(begin - s->first);

    if (old)
        count_old(o, s->first, begin);
    if (begin == end)
        return;
    if (begin != o->next)
        note_gap(o, o->next, begin);
    s->follows = o->begun && begin == o->next;
    s->first = begin;
    s->count -= old;
    s->place += old;
    s->time = s->time ? s->time + old : NULL;
    s->pair += old;
    s->bit = old;
    o->begun = true;
    o->next = end;
    if (o->lost < lost)
        o->lost = lost;
    o->give(o->context, s);
}

/* Whether nothing can be missing before this number, as far as the sender tells. */
static bool is_next(const struct sample_order *o, uint64_t first, uint64_t lost)
{
    return first <= o->next || (lost > o->lost && first - o->next <= lost - o->lost);
}

static bool is_ready(const struct sample_order *o, const struct held *h)
{
    return is_next(o, h->first, h->lost) && (!o->expects_marks || !h->untold);
}

static void give_held(struct sample_order *o)
{
    struct held *h = o->held[o->at++];
    struct sample_stretch s = {
        .first = h->first, .count = h->count, .place = h->place, .time = h->timed ? h->time : NULL, .pair = h->pair,
        .full = h->full, .told = h->untold == h->count ? NULL : h->told, .off = h->off,
    };

    o->count--;
    o->bytes -= h->bytes;
    give(o, &s, h->lost);
    free(h);
}

static void give_ready(struct sample_order *o)
{
    while (o->count && (o->bytes > ORDER_BYTES || o->count >= ORDER_FRAMES || is_ready(o, o->held[o->at])))
        give_held(o);
}

/* ---- marks ---- */

/* Set the bits of the samples that both have; returns how many of the marks that were. */
static uint32_t apply(struct held *h, const struct marks *m)
{
    uint32_t both = 0;

    for (uint32_t i = 0; i < m->count; i++) {
        const uint64_t at = m->first + i - h->first;

        if (m->first + i < h->first || at >= h->count)
            continue;
        both++;
        if (!stretch_bit(h->told, (uint32_t)at))
            h->untold--;
        h->told[at / 8] |= (uint8_t)(1u << at % 8);
        if (stretch_bit(m->off, i))
            h->off[at / 8] |= (uint8_t)(1u << at % 8);
    }
    return both;
}

/* The place in held[] of the first frame whose number is above this. */
static size_t after(const struct sample_order *o, uint64_t number)
{
    size_t low = o->at, high = o->at + o->count;

    if (low < high && o->held[high - 1]->first <= number)
        return high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (o->held[middle]->first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t mark_held(struct sample_order *o, const struct marks *m)
{
    size_t i = m->first < SAMPLE_FRAME_MAX ? o->at : after(o, m->first - SAMPLE_FRAME_MAX);
    uint32_t marked = 0;

    for (; i < o->at + o->count && o->held[i]->first < m->first + m->count; i++)
        marked += apply(o->held[i], m);
    return marked;
}

bool sample_order_mark(struct sample_order *o, const struct wire_masked_samples *head)
{
    struct marks m = {.first = head->first, .count = (uint32_t)head->count};

    if (head->count > SAMPLE_FRAME_MAX || head->first >= SAMPLE_NUMBER_MAX ||
        head->off.length != (head->count + 7) / 8)
        return false;
    memcpy(m.off, head->off.bytes, head->off.length);
    o->expects_marks = true;
    if (mark_held(o, &m) < m.count && m.first + m.count > o->next) {
        if (!o->marks)
            o->marks = xrealloc_array(NULL, ORDER_FRAMES, sizeof(*o->marks));
        o->marks[o->mark_frames++ % ORDER_FRAMES] = m;
    }
    give_ready(o);
    return true;
}

/* What was told before the frame came. */
static void take_marks(const struct sample_order *o, struct held *h)
{
    for (size_t i = 0; i < o->mark_frames && i < ORDER_FRAMES; i++)
        if (o->marks[i].first < h->first + h->count && h->first < o->marks[i].first + o->marks[i].count)
            apply(h, &o->marks[i]);
}

/* ---- frames ---- */

static struct held *copy_of(const struct sample_batch *b)
{
    const size_t fulls = b->fulls * sizeof(*b->full), times = b->count * sizeof(*b->time);
    const size_t places = b->count * sizeof(*b->place), pairs = b->count * sizeof(*b->pair);
    const size_t bytes = sizeof(struct held) + fulls + times + places + pairs;
    struct held *h = xcalloc(bytes, 1);

    h->first = b->first;
    h->lost = b->lost;
    h->count = h->untold = b->count;
    h->bytes = bytes;
    h->timed = b->timed;
    h->full = (struct sample_location *)(h + 1);
    h->time = (uint64_t *)((char *)h->full + fulls);
    h->place = (uint16_t *)((char *)h->time + times);
    h->pair = (bool *)((char *)h->place + places);
    memcpy(h->full, b->full, fulls);
    memcpy(h->time, b->time, times);
    memcpy(h->place, b->place, places);
    memcpy(h->pair, b->pair, pairs);
    return h;
}

static void hold(struct sample_order *o, struct held *h)
{
    size_t at;

    if (o->at + o->count == 2 * ORDER_FRAMES) {
        memmove(o->held, o->held + o->at, o->count * sizeof(o->held[0]));
        o->at = 0;
    }
    at = after(o, h->first);
    memmove(o->held + at + 1, o->held + at, (o->at + o->count - at) * sizeof(o->held[0]));
    o->held[at] = h;
    o->count++;
    o->bytes += h->bytes;
}

void sample_order_add(struct sample_order *o, const struct sample_batch *b)
{
    struct held *h;

    if (!o->count && !o->expects_marks && is_next(o, b->first, b->lost)) {
        struct sample_stretch s = {
            .first = b->first, .count = b->count, .place = b->place, .time = b->timed ? b->time : NULL,
            .pair = b->pair,
            .full = b->full,
        };

        give(o, &s, b->lost);
        return;
    }
    h = copy_of(b);
    take_marks(o, h);
    hold(o, h);
    give_ready(o);
}

void sample_order_end(struct sample_order *o)
{
    while (o->count)
        give_held(o);
}

uint64_t sample_order_twice(const struct sample_order *o)
{
    return o->twice;
}

uint64_t sample_order_late(const struct sample_order *o)
{
    return o->late;
}
