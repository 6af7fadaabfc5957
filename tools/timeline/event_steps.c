/* SPDX-License-Identifier: MIT */
/* The states between events (probe/trace/machine_state.h), and what stays with each task. */
#include "tools/timeline/event_steps.h"

#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"

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
    memset(&s->task_of, 0, sizeof(s->task_of));
    s->tasks = 0;
}

static struct machine_task *own_of(struct event_steps *s, uint64_t task)
{
    size_t at = index_find(&s->task_of, task);

    if (at == INDEX_NONE && s->tasks == TASKS_MOST)
        forget_tasks(s);
    if (at == INDEX_NONE) {
        GROW(s->own, s->tasks);
        at = s->tasks++;
        index_put(&s->task_of, task, at);
        s->own[at] = MACHINE_TASK_UNKNOWN;
    }
    return &s->own[at];
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
