/* SPDX-License-Identifier: MIT */
/*
 * What is missing, by cause: numbers that are skipped did not arrive, or were overwritten; class
 * LOST tells what found no room, PAUSE and CONTINUE enclose what was not to be recorded.
 */
#include "tools/timeline/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"

void event_lane_begin(struct event_lane *l, const struct epoch *e)
{
    l->epoch = e;
    l->batch.count = l->at = 0;
    l->entered = true;
    l->expected = l->told_lost = l->late = 0;
    l->time = e->head_count && e->first_head.begin < EVENT_TIME_MAX ? (int64_t)e->first_head.begin : 0;
    l->running = l->any = l->started = l->pending = l->ended = false;
    l->back_most = timeline_back_most(e);
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

/* The states between events (probe/trace/machine_state.h), and what stays with each task. */

#define TASKS_MOST 65536 /* then all are forgotten: no image has so many at a time */

static void set_told(struct event_steps *s, uint32_t classes)
{
    s->classes = classes;
    s->told = machine_state_told(classes);
}

void event_steps_begin(struct event_steps *s, const struct epoch *e)
{
    event_steps_free(s);
    set_told(s, epoch_event_classes(e));
}

void event_steps_free(struct event_steps *s)
{
    index_free(&s->task_of);
    free(s->own);
    memset(s, 0, sizeof(*s));
}

/* ---- tasks ---- */

static void forget_tasks(struct event_steps *s)
{
    index_free(&s->task_of);
    s->tasks = 0;
}

static struct machine_task *own_of(struct event_steps *s, uint64_t task)
{
    if (s->tasks == TASKS_MOST && index_find(&s->task_of, task) == INDEX_NONE)
        forget_tasks(s);
    return INDEX_ROW(&s->task_of, task, s->own, s->tasks, &MACHINE_TASK_UNKNOWN);
}

static void switch_to(struct event_steps *s, uint64_t task)
{
    if (s->now.known & KNOWN_TASK)
        *own_of(s, s->now.task) = machine_state_own(&s->now);
    machine_state_run(&s->now, task, own_of(s, task));
}

/* ---- the state ---- */

static void apply(struct event_steps *s, const struct timeline_event *e)
{
    if (e->class == TRACE_SWITCH || e->class == TRACE_CONTINUE)
        switch_to(s, e->argument);
    machine_state_apply(&s->now, e->class, e->argument);
}

static bool same(const struct machine_state *a, const struct machine_state *b)
{
    return trace_task_row(a->task) == trace_task_row(b->task) && a->mode == b->mode && a->monitor == b->monitor &&
           a->masked == b->masked && a->nesting == b->nesting && a->call == b->call && a->user == b->user &&
           a->known == b->known;
}

/* The step before ends at `time`; of those without a length nothing is told. */
static bool end_step(struct event_steps *s, const struct machine_state *before, int64_t time,
                     struct timeline_step *ended)
{
    *ended = (struct timeline_step){
        .begin = s->begin, .length = time - s->begin, .task = trace_task_row(before->task), .mode = before->mode,
        .monitor = before->monitor, .masked = before->masked, .nesting = before->nesting, .call = before->call,
        .user = before->user, .known = (before->known | (s->time_known ? KNOWN_TIME : 0)) & s->told,
    };
    s->begin = time;
    return ended->length && s->told & ~(unsigned)KNOWN_TIME;
}

static void begin_first(struct event_steps *s, int64_t time)
{
    s->now = MACHINE_STATE_UNKNOWN;
    s->begin = time;
    s->time_known = false;
    s->open = true;
}

bool event_steps_take(struct event_steps *s, struct timeline_event *e, struct timeline_step *ended)
{
    const bool was_open = s->open;
    struct machine_state before;
    bool ends;

    if (e->class < TRACE_CLASSES_END && !(s->classes & trace_bit((enum trace_class)e->class)))
        set_told(s, s->classes | trace_bit((enum trace_class)e->class));
    if (!was_open)
        begin_first(s, e->time);
    before = s->now;
    e->mode = s->now.mode;
    e->known |= s->now.known & s->told & KNOWN_MODE;
    if (e->known & KNOWN_TASK && !(s->now.known & KNOWN_TASK))
        switch_to(s, trace_task(e->task, e->task_number));
    apply(s, e);
    ends = was_open && !same(&before, &s->now) && end_step(s, &before, e->time, ended);
    s->time_known |= (e->known & KNOWN_TIME) != 0;
    return ends;
}

bool event_steps_gap(struct event_steps *s, int64_t time, struct timeline_step *ended)
{
    const struct machine_state before = s->now;
    const bool ends = s->open && end_step(s, &before, time, ended);

    s->open = false;
    s->now = MACHINE_STATE_UNKNOWN;
    forget_tasks(s);
    return ends;
}
