/* SPDX-License-Identifier: MIT */
/* Places by index are resolved once, before the first frame. */
#include "tools/samples/sample_reader.h"

#include <stdlib.h>

#include "probe/stream/decimate.h"
#include "tools/base/alloc.h"
#include "tools/samples/sample_order.h"

struct sample_reader {
    const struct samples *known;
    sample_taker *take;
    void *context;
    struct sample_order *order;
    struct sample_batch batch; /* its budget is what the first reading had */
    struct sample_place place[SAMPLE_PLACES_MAX]; /* by index */
    bool dropped; /* the last point fell into a handler of a tick */
    uint64_t time; /* of the last sample */
};

static struct sample_place resolve(const struct sample_reader *r, const struct sample_stretch *s, uint32_t i)
{
    const uint16_t place = s->place[i];
    struct sample_place to = place < SAMPLE_PLACES_MAX ? r->place[place]
                                                       : sample_place_of(&s->full[place - SAMPLE_PLACES_MAX]);

    to.masked = to.known && s->told && stretch_bit(s->off, s->bit + i);
    return to;
}

/* Samples that waited together have one time, which was rounded from the point of each: it does not go back. */
static void put_in_order(struct sample_reader *r, struct resolved_sample *one)
{
    const bool late = one->place.known && (one->place.delay == DELAY_MASKED || one->place.delay == DELAY_STOLEN);

    if (late && r->time - one->time <= r->known->setting.stamp)
        one->time = r->time;
    r->time = one->time;
}

static void take_stretch(void *context, const struct sample_stretch *s)
{
    struct sample_reader *r = context;
    const struct sample_setting *setting = &r->known->setting;

    for (uint32_t i = 0; i < s->count; i++) {
        struct resolved_sample one = {
            .number = s->first + i,
            .tick = decimate_tick(s->first + i, setting->thin, setting->seed),
            .time = s->time ? s->time[i] : 0,
            .place = resolve(r, s, i),
            .pair = s->pair[i],
            .follows = (i || s->follows) && !r->dropped,
        };

        put_in_order(r, &one);
        one.dropped = r->dropped = one.place.known && one.place.delay == DELAY_HANDLER;
        r->take(r->context, &one);
    }
}

struct sample_reader *sample_reader_new(const struct samples *known, sample_taker *take, void *context)
{
    struct sample_reader *r = xcalloc(1, sizeof(*r));

    r->known = known;
    r->take = take;
    r->context = context;
    r->order = sample_order_new(known->marks != 0, take_stretch, r);
    r->batch.budget = known->replay;
    for (size_t i = 0; i < SAMPLE_PLACES_MAX; i++) {
        const struct sample_location *where = place_index_find(&known->index, i);

        r->place[i] = where ? sample_place_of(where) : (struct sample_place){.known = false};
    }
    return r;
}

void sample_reader_frame(struct sample_reader *r, struct wire_reader frame)
{
    struct wire_masked_samples head;

    if (frame.type == WIRE_MASKED_SAMPLES && wire_read_head(&frame, &head))
        sample_order_mark(r->order, &head);
    else if (sample_decode(&r->batch, &r->known->setting, &frame) && r->batch.count)
        sample_order_add(r->order, &r->batch);
}

void sample_reader_end(struct sample_reader *r)
{
    sample_order_end(r->order);
}

void sample_reader_free(struct sample_reader *r)
{
    if (!r)
        return;
    sample_order_free(r->order);
    free(r);
}
