/* SPDX-License-Identifier: MIT */
/*
 * Reads a stream twice: first what its epochs are, with the meaning of task numbers, which comes
 * last; then the records of one epoch that tell states and events, frame by frame.
 */
#include "tools/timeline/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/stream/stream_file.h"
#include "tools/stream/stream_reader.h"
#include "tools/stream/stream_source.h"
#include "tools/timeline/lanes.h"

struct timeline {
    const char *path;
    struct frame_decoder stream;  /* of the first reading, whose damage is reported */
    struct frame_decoder decoder; /* of the second */
    struct stream_source source;
    struct model model;
    struct epoch *epoch;
    bool follows; /* it is read once: the model grows with it */
    bool over;    /* what comes is no more of the epoch */
    bool failed;  /* a reading did not come to its end */
    struct transition_steps transitions;
    struct event_lane events;
    struct event_steps steps;    /* from the events */
    struct class_lane classes;
    bool gives_classes;          /* and nothing else */
    struct timeline_item held;  /* what comes after the step that is given now */
    bool holds;
    struct timeline_counts counts;
    bool ended;
};

/* ---- the first reading ---- */

/* False, with a message, if the file cannot be opened, or not be copied. */
static bool open_twice(struct timeline *t)
{
    struct stat what;
    int copy;

    if (!stream_source_open(&t->source, t->path, &t->stream))
        return false;
    if (!fstat(t->source.file, &what) && S_ISREG(what.st_mode))
        return true;
    copy = stream_copy(t->source.file);
    stream_source_close(&t->source);
    stream_source_begin(&t->source, t->path, copy, &t->stream);
    return copy >= 0;
}

static void read_first(struct timeline *t, bool samples)
{
    struct stream_event event;

    t->model.skips_samples = !samples;
    t->model.samples = SAMPLES_COUNTED;
    stream_source_show_progress(&t->source);
    while (stream_source_next(&t->source, &event))
        model_add_event(&t->model, &event);
    stream_unknown_print(t->path, &t->stream.stats);
    model_finish(&t->model);
}

static void begin_lanes(struct timeline *t)
{
    transition_steps_begin(&t->transitions, t->epoch);
    event_lane_begin(&t->events, t->epoch);
    class_lane_begin(&t->classes, t->epoch);
    event_steps_begin(&t->steps, t->epoch);
    t->holds = t->over = t->ended = false;
    t->counts = (struct timeline_counts){.steps = 0};
}

/* Go to the first record of the epoch. */
bool timeline_rewind(struct timeline *t)
{
    if (lseek(t->source.file, (off_t)t->epoch->first_byte, SEEK_SET) < 0) {
        cli_error("%s: %s", t->path, strerror(errno));
        return false;
    }
    t->failed |= t->source.failed;
    stream_source_begin(&t->source, t->path, t->source.file, &t->decoder);
    begin_lanes(t);
    return true;
}

void timeline_limits(struct timeline *t, int64_t *begin, int64_t *end)
{
    struct timeline_item item;

    *begin = INT64_MAX;
    *end = INT64_MIN;
    while (timeline_next(t, &item)) {
        *begin = timeline_item_begin(&item) < *begin ? timeline_item_begin(&item) : *begin;
        *end = timeline_item_end(&item) > *end ? timeline_item_end(&item) : *end;
    }
}

/* ---- a stream that grows ---- */

/* The epoch of the last record; its address changes while epochs are added. */
static void renew_epoch(struct timeline *t)
{
    t->epoch = t->model.epoch[t->model.epochs - 1];
    t->events.epoch = t->classes.epoch = t->epoch;
    t->transitions.meaning = t->epoch->transitions;
}

/* Begin with the first HELLO: the rate of the clock is known then. */
static bool open_growing(struct timeline *t)
{
    struct stream_event event;

    t->model.skips_samples = t->model.skips_changes = t->follows = true;
    if (!stream_source_open(&t->source, t->path, &t->stream))
        return false;
    t->source.follows = true;
    interrupt_watch();
    while (stream_source_next(&t->source, &event)) {
        model_add_event(&t->model, &event);
        if (!t->model.epochs || !t->model.epoch[t->model.epochs - 1]->has_hello)
            continue;
        renew_epoch(t);
        begin_lanes(t);
        return true;
    }
    stream_has_no_frames(t->path, &t->stream);
    return false;
}

/* Take a record of a stream that grows; false: its epoch is over. */
static bool grow(struct timeline *t, const struct stream_event *event)
{
    const size_t epochs = t->model.epochs;

    model_add_event(&t->model, event);
    if (t->model.epochs != epochs || t->epoch->ended)
        return false;
    renew_epoch(t);
    return true;
}

static bool open_epoch(struct timeline *t, const struct timeline_request *q)
{
    if (!open_twice(t))
        return false;
    read_first(t, q->samples);
    if ((!t->stream.stats.bytes && t->source.failed) || stream_has_no_frames(t->path, &t->stream))
        return false;
    t->epoch = model_find_epoch(t->path, &t->model, q->epoch);
    return t->epoch && timeline_rewind(t);
}

struct timeline *timeline_open(const char *path, const struct timeline_request *q)
{
    struct timeline *t = xcalloc(1, sizeof(*t));

    t->path = path;
    if (q->follow ? open_growing(t) : open_epoch(t, q))
        return t;
    timeline_close(t);
    return NULL;
}

void timeline_close(struct timeline *t)
{
    if (!t)
        return;
    stream_source_close(&t->source);
    event_steps_free(&t->steps);
    model_free(&t->model);
    free(t);
}

/* ---- the second reading ---- */

/* Give a record to its reader; false: it has none. */
static bool take_frame(struct timeline *t, const struct wire_reader *frame)
{
    if (t->gives_classes != class_is_frame(frame->type))
        return false;
    if (t->gives_classes)
        class_lane_frame(&t->classes, frame);
    else if (frame->type == WIRE_TRANSITIONS && !epoch_has_events(t->epoch))
        transition_steps_frame(&t->transitions, frame);
    else if (event_is_frame(frame->type))
        event_lane_frame(&t->events, frame);
    else
        return false;
    return true;
}

/* Give the next record of the epoch to its reader; false at the end of the epoch. */
static bool next_frame(struct timeline *t)
{
    struct stream_event event;

    while (!t->over && stream_source_next(&t->source, &event)) {
        t->over = t->follows ? !grow(t, &event) : t->epoch->first_byte + event.offset > t->epoch->last_byte;
        if (t->over)
            return false;
        if (event.kind != STREAM_RECORD)
            continue;
        if (take_frame(t, &event.reader))
            return true;
    }
    return false;
}

bool timeline_has_classes(const struct timeline *t)
{
    return t->epoch->states.frames != 0;
}

bool timeline_read_classes(struct timeline *t, bool classes)
{
    t->gives_classes = classes;
    return timeline_rewind(t);
}

void timeline_records(struct timeline *t, void take(void *context, const struct stream_event *event), void *context)
{
    struct stream_event event;

    if (!timeline_rewind(t))
        return;
    while (stream_source_next(&t->source, &event) && t->epoch->first_byte + event.offset <= t->epoch->last_byte)
        take(context, &event);
}

static bool any_gap(const struct timeline_counts *c)
{
    for (unsigned cause = 0; cause < GAP_CAUSES; cause++)
        if (c->gaps[cause])
            return true;
    return false;
}

static void count(struct timeline_counts *c, const struct timeline_item *item)
{
    c->steps += item->kind == TIMELINE_STEP;
    c->events += item->kind == TIMELINE_EVENT;
    if (item->kind != TIMELINE_GAP)
        return;
    if (!any_gap(c))
        c->first_gap = item->gap.begin;
    c->gaps[item->gap.cause]++;
    c->missing[item->gap.cause] += item->gap.missing;
}

/* The item of the events' reader, and before it the step that ends there. */
static bool next_of_events(struct timeline *t, struct timeline_item *to)
{
    struct timeline_item item, step = {.kind = TIMELINE_STEP};
    bool ends;

    if (!event_lane_next(&t->events, &item))
        return false;
    ends = item.kind == TIMELINE_GAP ? event_steps_gap(&t->steps, item.gap.begin, &step.step)
                                     : event_steps_take(&t->steps, &item.event, &step.step);
    t->held = item;
    t->holds = ends;
    *to = ends ? step : item;
    return true;
}

/* An item of the frame that is being read. */
static bool next_item(struct timeline *t, struct timeline_item *to)
{
    if (t->holds) {
        *to = t->held;
        t->holds = false;
        return true;
    }
    return t->gives_classes ? class_lane_next(&t->classes, to)
                            : transition_steps_next(&t->transitions, to) || next_of_events(t, to);
}

/* No frame follows: true, once, because the readers may have something to tell of that. */
static bool end_lanes(struct timeline *t)
{
    const bool first = !t->events.ended;

    t->transitions.ended = t->events.ended = t->classes.ended = true;
    return first;
}

bool timeline_next(struct timeline *t, struct timeline_item *to)
{
    while (!t->ended) {
        if (next_item(t, to)) {
            count(&t->counts, to);
            t->counts.late = t->transitions.late + t->events.late + t->classes.late;
            return true;
        }
        if (!next_frame(t))
            t->ended = !end_lanes(t);
        if (t->ended && t->follows)
            stream_unknown_print(t->path, &t->stream.stats);
    }
    return false;
}

/* ---- what it is about ---- */

const struct epoch *timeline_epoch(const struct timeline *t)
{
    return t->epoch;
}

const struct timeline_counts *timeline_counts(const struct timeline *t)
{
    return &t->counts;
}

bool timeline_read_well(const struct timeline *t)
{
    return !t->failed && !t->source.failed;
}

const struct frame_decoder *timeline_stream(const struct timeline *t)
{
    return &t->stream;
}

const struct model *timeline_model(const struct timeline *t)
{
    return &t->model;
}
