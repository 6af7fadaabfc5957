/* SPDX-License-Identifier: MIT */
/* Keeps frames, and reads them again. */
#include "tools/live/live_samples.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

/* What a profile of raw samples is made of. */
static bool is_wanted(enum wire_type type)
{
    switch (type) {
    case WIRE_HELLO: case WIRE_NAMES: case WIRE_PROGRAMS: case WIRE_PLACES: case WIRE_SAMPLES:
    case WIRE_MASKED_SAMPLES: case WIRE_PACKED_PLACES: case WIRE_PACKED_SAMPLES:
        return true;
    default:
        return false;
    }
}

void live_samples_add_event(struct live_samples *s, const struct stream_event *event)
{
    uint8_t frame[WIRE_FRAME_MAX];

    preface_add_event(&s->preface, event);
    if (event->kind != STREAM_RECORD || !is_wanted(event->reader.type))
        return;
    s->any = s->any || event->reader.type == WIRE_SAMPLES || event->reader.type == WIRE_PACKED_SAMPLES;
    line_history_bytes(&s->history, frame, preface_encode(&event->reader, frame));
    line_history_event(&s->history, &s->preface);
}

struct epoch *live_samples_read(const struct live_samples *s, struct model *m, uint64_t id)
{
    struct frame_decoder *decoder = xrealloc_array(NULL, 1, sizeof(*decoder));
    const struct history_part *part = &s->history.part;
    struct epoch *found = NULL;
    struct stream_event event;

    decoder_init(decoder);
    model_init(m);
    m->skips_changes = true;
    for (size_t at = 0; at < part->length;) {
        at += decoder_feed(decoder, part->bytes + at, part->length - at, &event);
        model_add_event(m, &event);
    }
    model_finish(m);
    free(decoder);
    for (size_t i = 0; i < m->epochs; i++)
        if (m->epoch[i].id == id && m->epoch[i].has_hello && m->epoch[i].samples && m->epoch[i].samples->count)
            found = &m->epoch[i];
    if (found)
        samples_begin_at_first(found->samples);
    return found;
}

void live_samples_free(struct live_samples *s)
{
    preface_free(&s->preface);
    line_history_free(&s->history);
}
