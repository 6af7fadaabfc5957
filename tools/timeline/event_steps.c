/* SPDX-License-Identifier: MIT */
/* An exit names the cell that it leads to (trace_cell()), so that the state is right again soon after a gap. */
#include "tools/timeline/event_steps.h"

#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"

#define TASKS_MOST 65536 /* then all are forgotten: no image has so many at a time */

/* The classes of which an event has arrived, or of which one was defined. */
static uint32_t recorded_classes(const struct epoch *e)
{
    uint32_t classes = 0;

    for (size_t i = 0; e->events && i < e->events->keys; i++)
        if (e->events->key[i].class < TRACE_CLASSES_END)
            classes |= trace_bit(e->events->key[i].class);
    return classes;
}

static void set_told(struct event_steps *s, uint32_t classes)
{
    const uint32_t modes = trace_bit(TRACE_IRQ_ENTER) | trace_bit(TRACE_SYSCALL_ENTER) | trace_bit(TRACE_SWITCH);

    s->classes = classes;
    s->told = KNOWN_TIME;
    s->told |= classes & trace_bit(TRACE_SWITCH) ? KNOWN_TASK : 0;
    s->told |= classes & trace_bit(TRACE_IRQ_ENTER) ? KNOWN_NESTING : 0;
    s->told |= classes & trace_bit(TRACE_SYSCALL_ENTER) ? KNOWN_CALL : 0;
    s->told |= classes & trace_bit(TRACE_USER) ? KNOWN_USER : 0;
    s->told |= (classes & modes) == modes ? KNOWN_MODE : 0;
    s->told |= (classes & modes) == modes && classes & trace_bit(TRACE_MASK) ? KNOWN_MASKED : 0;
}

void event_steps_begin(struct event_steps *s, const struct epoch *e)
{
    event_steps_free(s);
    set_told(s, recorded_classes(e));
}

void event_steps_free(struct event_steps *s)
{
    index_free(&s->task_of);
    free(s->state);
    memset(s, 0, sizeof(*s));
}

/* ---- tasks ---- */

static struct task_state *state_of(struct event_steps *s, uint64_t task)
{
    size_t at = index_find(&s->task_of, task);

    if (at == INDEX_NONE && s->states == TASKS_MOST) {
        index_free(&s->task_of);
        memset(&s->task_of, 0, sizeof(s->task_of));
        s->states = 0;
    }
    if (at == INDEX_NONE) {
        GROW(s->state, s->states);
        at = s->states++;
        index_put(&s->task_of, task, at);
        s->state[at] = (struct task_state){.call = CALL_NONE};
    }
    return &s->state[at];
}

/* Another task runs, or, after a gap, one that is known again: in kernel mode with interrupts off. */
static void switch_to(struct event_steps *s, uint64_t task)
{
    const unsigned own = KNOWN_CALL | KNOWN_USER;
    struct timeline_step *now = &s->now;

    if (now->known & KNOWN_TASK)
        *state_of(s, s->task) = (struct task_state){now->call, now->user, now->known & own};
    s->task = task;
    now->task = trace_task_row(task);
    now->call = state_of(s, task)->call;
    now->user = state_of(s, task)->user;
    now->known = (now->known & ~own) | KNOWN_TASK | state_of(s, task)->known;
}

/* ---- the state ---- */

static void set_cell(struct timeline_step *now, enum mode mode, bool masked)
{
    now->mode = mode;
    now->masked = masked;
    now->known |= KNOWN_MODE | KNOWN_MASKED;
    if (mode == MODE_INTERRUPT)
        return;
    now->nesting = 0;
    now->known |= KNOWN_NESTING;
}

/* An exit leads to a cell; in user mode there is no call. */
static void return_to(struct timeline_step *now, unsigned cell)
{
    if (cell >= 2 * MODES)
        return;
    set_cell(now, (enum mode)(cell / 2), cell & 1);
    if (now->mode != MODE_USER)
        return;
    now->call = CALL_NONE;
    now->known |= KNOWN_CALL;
}

static void begin_call(struct timeline_step *now, enum mode mode, uint64_t number)
{
    set_cell(now, mode, false);
    now->call = number <= INT32_MAX ? (int32_t)number : CALL_NONE;
    now->known |= KNOWN_CALL;
}

static void end_call(struct timeline_step *now, uint64_t argument)
{
    now->call = CALL_NONE;
    now->known |= KNOWN_CALL;
    return_to(now, trace_cell(argument));
}

static void enter_interrupt(struct timeline_step *now)
{
    now->nesting++;
    set_cell(now, MODE_INTERRUPT, true);
}

/* A nested one returns to the handler that it interrupted. */
static void leave_interrupt(struct timeline_step *now, uint64_t argument)
{
    if (now->nesting)
        now->nesting--;
    return_to(now, trace_cell(argument));
}

static void apply(struct event_steps *s, const struct timeline_event *e)
{
    struct timeline_step *now = &s->now;

    switch (e->class) {
    case TRACE_SWITCH:
    case TRACE_CONTINUE:
        switch_to(s, e->argument);
        set_cell(now, MODE_KERNEL, true);
        break;
    case TRACE_RESUME: return_to(now, trace_cell(e->argument)); break;
    case TRACE_IRQ_ENTER: enter_interrupt(now); break;
    case TRACE_IRQ_EXIT: leave_interrupt(now, e->argument); break;
    case TRACE_SYSCALL_ENTER: begin_call(now, MODE_KERNEL, e->argument); break;
    case TRACE_SERVICE_ENTER: begin_call(now, MODE_SUPERVISOR, e->argument); break;
    case TRACE_SYSCALL_EXIT:
    case TRACE_SERVICE_EXIT: end_call(now, e->argument); break;
    case TRACE_FAULT: set_cell(now, MODE_KERNEL, now->masked); break;
    case TRACE_MASK:
    case TRACE_UNMASK:
        now->masked = e->class == TRACE_MASK;
        now->known |= KNOWN_MASKED;
        break;
    case TRACE_TICK_ENTER: now->monitor = true; break;
    case TRACE_TICK_EXIT: now->monitor = false; break;
    case TRACE_USER:
        now->user = e->argument;
        now->known |= KNOWN_USER;
        break;
    default: break;
    }
}

static bool same(const struct timeline_step *a, const struct timeline_step *b)
{
    return a->task == b->task && a->mode == b->mode && a->monitor == b->monitor && a->masked == b->masked &&
           a->nesting == b->nesting && a->call == b->call && a->user == b->user && a->known == b->known;
}

/* The step before ends at `time`; of those without a length nothing is told. */
static bool end_step(struct event_steps *s, const struct timeline_step *before, int64_t time, struct timeline_step *ended)
{
    *ended = *before;
    ended->length = time - before->begin;
    ended->known &= s->told;
    s->now.begin = time;
    return ended->length && s->told & ~(unsigned)KNOWN_TIME;
}

bool event_steps_take(struct event_steps *s, struct timeline_event *e, struct timeline_step *ended)
{
    const struct timeline_step before = s->now;
    const bool was_open = s->open;

    if (e->class < TRACE_CLASSES_END && !(s->classes & trace_bit(e->class)))
        set_told(s, s->classes | trace_bit(e->class));
    if (!was_open)
        s->now = (struct timeline_step){.begin = e->time, .call = CALL_NONE};
    e->mode = s->now.mode;
    e->known |= s->now.known & s->told & KNOWN_MODE;
    s->open = true;
    if (e->known & KNOWN_TASK && !(s->now.known & KNOWN_TASK))
        switch_to(s, trace_task(e->task, e->task_number));
    s->now.known |= e->known & KNOWN_TIME;
    apply(s, e);
    return was_open && !same(&before, &s->now) && end_step(s, &before, e->time, ended);
}

bool event_steps_gap(struct event_steps *s, int64_t time, struct timeline_step *ended)
{
    const struct timeline_step before = s->now;
    const bool was_open = s->open;

    s->open = false;
    s->now = (struct timeline_step){.call = CALL_NONE};
    s->states = 0;
    index_free(&s->task_of);
    memset(&s->task_of, 0, sizeof(s->task_of));
    return was_open && end_step(s, &before, time, ended);
}
