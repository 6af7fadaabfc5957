/* SPDX-License-Identifier: MIT */
/*
 * What is missing, by cause: numbers that are skipped did not arrive, or were overwritten; class
 * LOST tells what found no room, PAUSE and CONTINUE enclose what was not to be recorded.
 */
#include "tools/timeline/event_lane.h"

/* the account may be ahead of the clock by some instructions, not by a millisecond */
#define BACK_MOST_PER_SECOND 1000

void event_lane_begin(struct event_lane *l, const struct epoch *e)
{
    l->epoch = e;
    l->batch.count = l->at = 0;
    l->entered = true;
    l->expected = l->told_lost = l->late = 0;
    l->time = e->head_count && e->first_head.begin < EVENT_TIME_MAX ? (int64_t)e->first_head.begin : 0;
    l->running = l->any = l->started = l->pending = l->ended = false;
    l->back_most = (int64_t)(e->hello.clock_hz / BACK_MOST_PER_SECOND);
}

void event_lane_frame(struct event_lane *l, const struct wire_reader *frame)
{
    struct wire_reader r = *frame;

    l->at = 0;
    l->entered = !event_decode(&l->batch, &r);
    l->any = true;
}

static bool put_gap(struct event_lane *l, struct timeline_item *to, int64_t end, uint64_t missing,
                    enum gap_cause cause)
{
    *to = (struct timeline_item){TIMELINE_GAP, .gap = {l->time, end > l->time ? end : l->time, missing, cause}};
    l->running = false;
    return true;
}

/* Numbers up to this one are missing; their stretch ends at `end`. */
static bool put_missing(struct event_lane *l, struct timeline_item *to, uint64_t up_to, int64_t end)
{
    const struct wire_event_counts *const counts = epoch_event_counts(l->epoch);
    const uint64_t overwritten = counts ? counts->overwritten : 0;
    const bool dropped = l->expected < overwritten;
    const uint64_t stop = dropped && up_to > overwritten ? overwritten : up_to, missing = stop - l->expected;

    l->expected = stop;
    return put_gap(l, to, end, missing, dropped ? GAP_OVERWRITTEN : GAP_FRAMES);
}

/* A gap before the batch, if there is one.  Events that came already are left out. */
static bool enter_batch(struct event_lane *l, struct timeline_item *to)
{
    struct event_batch *b = &l->batch;
    const int64_t begin = b->count ? (int64_t)b->event[0].time : l->time;

    if (b->first > l->expected)
        return put_missing(l, to, b->first, begin);
    l->entered = true;
    while (l->at < b->count && b->first + l->at < l->expected) {
        l->at++;
        l->late++;
    }
    if (l->at == 0) {
        l->task = b->task;
        l->running = true;
    }
    return false;
}

/* The task is known again from an event that names it on. */
static void follow_task(struct event_lane *l, const struct timeline_event *e)
{
    if (e->class != TRACE_SWITCH && e->class != TRACE_CONTINUE)
        return;
    l->task = e->argument;
    l->running = true;
}

static void begin_gap(struct event_lane *l, const struct timeline_event *e)
{
    if (e->class == TRACE_LOST) {
        l->told_lost += e->argument;
        l->gap = (struct timeline_gap){e->time, e->time, e->argument, GAP_NO_ROOM};
    } else if (e->class == TRACE_PAUSE) {
        l->gap = (struct timeline_gap){e->time, e->time, 0, GAP_PAUSED};
    } else {
        return;
    }
    l->pending = true;
}

/* The gap that an event before has begun ends here. */
static bool end_gap(struct event_lane *l, struct timeline_item *to, int64_t end)
{
    l->pending = false;
    if (end > l->gap.end)
        l->gap.end = end;
    *to = (struct timeline_item){TIMELINE_GAP, .gap = l->gap};
    l->running = false;
    return true;
}

static bool next_event(struct event_lane *l, struct timeline_item *to)
{
    const struct event_sent *sent = &l->batch.event[l->at];
    const struct event_key key = epoch_event_key(l->epoch, sent);
    const int64_t time = (int64_t)sent->time;

    if (l->pending)
        return end_gap(l, to, time);
    if (l->batch.unit && l->started && time < l->time - l->back_most) {
        put_gap(l, to, l->time, 0, GAP_BACKWARDS);
        l->time = time; /* once: what follows is told from here on */
        return true;
    }
    to->kind = TIMELINE_EVENT;
    to->event = (struct timeline_event){
        .time = time, .number = l->expected, .class = key.class, .argument = key.argument,
        .task = trace_task_row(l->task), .task_number = trace_task_number(l->task),
        .known = (l->running ? KNOWN_TASK : 0) | (l->batch.unit ? KNOWN_TIME : 0),
    };
    l->started = true;
    l->time = time;
    l->expected++;
    l->at++;
    follow_task(l, &to->event);
    begin_gap(l, &to->event);
    return true;
}

/* After the last frame: a gap that has no end, numbers that did not arrive, losses that no event tells. */
static bool next_at_end(struct event_lane *l, struct timeline_item *to)
{
    const struct wire_event_counts *const told = epoch_event_counts(l->epoch);
    const uint64_t recorded = epoch_events_recorded(l->epoch);

    if (l->pending)
        return end_gap(l, to, l->time);
    if (!l->any)
        return false;
    if (recorded > l->expected)
        return put_missing(l, to, recorded, l->time);
    if (told && told->lost > l->told_lost) {
        const uint64_t lost = told->lost - l->told_lost;

        l->told_lost = told->lost;
        return put_gap(l, to, l->time, lost, GAP_NO_ROOM);
    }
    return false;
}

bool event_lane_next(struct event_lane *l, struct timeline_item *to)
{
    if (!l->entered && enter_batch(l, to))
        return true;
    if (l->at < l->batch.count)
        return next_event(l, to);
    return l->ended && next_at_end(l, to);
}
