/* SPDX-License-Identifier: MIT */
/* Samples and snapshots in one reading of the epoch's records, states and events in another. */
#include "tools/timeline/epoch_pass.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

struct epoch_pass {
    struct timeline *timeline;
};

/* A reading of records for a sink. */
struct reading {
    const struct epoch_sink *sink;
    struct sample_reader *samples; /* NULL: none, or not wanted */
    uint64_t next;                 /* number of the sample after the last one */
    struct transition_rows changes; /* `meaning` NULL: none, or not wanted */
    struct model *heads;           /* of the snapshots' frames, NULL: their heads are not wanted */
    bool greeted;                  /* the HELLO came: samples before it cannot be read */
};

struct epoch_pass *epoch_pass_open(const char *path, unsigned long epoch)
{
    const struct timeline_request request = {.epoch = epoch, .samples = true};
    struct timeline *t = timeline_open(path, &request);
    struct epoch_pass *p;

    if (!t)
        return NULL;
    p = xrealloc_array(NULL, 1, sizeof(*p));
    *p = (struct epoch_pass){t};
    return p;
}

void epoch_pass_close(struct epoch_pass *p)
{
    if (!p)
        return;
    timeline_close(p->timeline);
    free(p);
}

static void tell_gap(struct reading *r, uint64_t end)
{
    const struct sample_gap gap = {r->next, end - r->next};

    if (gap.count && r->sink->on_lost)
        r->sink->on_lost(r->sink->context, &gap);
    r->next = end;
}

static void take_sample(void *context, const struct resolved_sample *s)
{
    struct reading *r = context;

    tell_gap(r, s->number);
    r->next++;
    if (!s->dropped && r->sink->on_sample)
        r->sink->on_sample(r->sink->context, s);
}

/* The epoch of the heads that came; NULL: none did. */
static const struct epoch *heard(const struct reading *r)
{
    const struct epoch *e = r->heads->epochs ? r->heads->epoch[r->heads->epochs - 1] : NULL;

    return e && r->sink->second ? e->second_source : e;
}

/* A frame of a snapshot: a model tells its head, which a delta has only with the whole one before it. */
static void take_snapshot(struct reading *r, const struct stream_event *event)
{
    const struct epoch *e = r->heads ? heard(r) : NULL;
    const uint64_t before = e ? e->head_count : 0;

    if (!r->heads)
        return;
    model_add_event(r->heads, event);
    e = heard(r);
    if (e && e->head_count > before)
        r->sink->on_snapshot(r->sink->context, &e->last_head);
}

static void take_changes(struct reading *r, struct wire_reader frame)
{
    struct transition one;

    if (!r->changes.meaning)
        return;
    transition_rows_frame(&r->changes, frame);
    while (transition_rows_next(&r->changes, &one))
        r->sink->on_change(r->sink->context, &one);
}

/* Whether the record is of the source that is asked for. */
static bool is_of_source(const struct reading *r, struct wire_reader frame)
{
    union wire_head head;

    if (!wire_read_head(&frame, &head))
        return false;
    return !(wire_head_epoch(frame.type, &head) & WIRE_SECOND) == !r->sink->second;
}

static void take_record(void *context, const struct stream_event *event)
{
    struct reading *r = context;

    if (event->kind != STREAM_RECORD || !is_of_source(r, event->reader))
        return;
    switch (event->reader.type) {
    case WIRE_HELLO: r->greeted = true; break;
    case WIRE_SNAPSHOT: case WIRE_CELLS: case WIRE_EXACT: case WIRE_LATENESS: case WIRE_REGION: case WIRE_DELTA:
        take_snapshot(r, event);
        break;
    case WIRE_TRANSITIONS: take_changes(r, event->reader); break;
    case WIRE_SAMPLES:
    case WIRE_PACKED_SAMPLES:
    case WIRE_MASKED_SAMPLES:
        if (r->samples && r->greeted)
            sample_reader_frame(r->samples, event->reader);
        break;
    default: break;
    }
}

void epoch_sink_records(struct timeline *t, const struct epoch *e, const struct epoch_sink *sink)
{
    struct reading r = {.sink = sink, .changes.meaning = sink->on_change ? e->transitions : NULL};

    if (e->samples && (sink->on_sample || sink->on_lost))
        r.samples = sample_reader_new(e->samples, take_sample, &r);
    if (sink->on_snapshot)
        r.heads = xcalloc(1, sizeof(*r.heads));
    timeline_records(t, take_record, &r);
    if (r.heads)
        model_free(r.heads);
    free(r.heads);
    if (r.samples) {
        sample_reader_end(r.samples);
        tell_gap(&r, e->samples->told > r.next ? e->samples->told : r.next);
    }
    sample_reader_free(r.samples);
}

static void read_items(struct epoch_pass *p, const struct epoch_sink *sink)
{
    struct timeline_item item;

    while (timeline_next(p->timeline, &item))
        sink->on_item(sink->context, &item);
}

bool epoch_pass_run(struct epoch_pass *p, const struct epoch_sink *sink)
{
    struct epoch *e = epoch_pass_epoch(p);

    if (sink->on_epoch)
        sink->on_epoch(sink->context, e);
    if (sink->on_sample || sink->on_lost || sink->on_snapshot || sink->on_change)
        epoch_sink_records(p->timeline, sink->second ? e->second_source : e, sink);
    if (sink->on_item) {
        if (!timeline_read_classes(p->timeline, false))
            return false;
        read_items(p, sink);
    }
    if (sink->on_item && timeline_has_classes(p->timeline)) {
        if (!timeline_read_classes(p->timeline, true))
            return false;
        read_items(p, sink);
    }
    if (sink->on_end)
        sink->on_end(sink->context);
    return true;
}

struct epoch *epoch_pass_epoch(const struct epoch_pass *p)
{
    return (struct epoch *)timeline_epoch(p->timeline);
}

const struct model *epoch_pass_model(const struct epoch_pass *p)
{
    return timeline_model(p->timeline);
}

const struct frame_decoder *epoch_pass_stream(const struct epoch_pass *p)
{
    return timeline_stream(p->timeline);
}

bool epoch_pass_read_well(const struct epoch_pass *p)
{
    return timeline_read_well(p->timeline);
}
