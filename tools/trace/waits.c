/* SPDX-License-Identifier: MIT */
/*
 * A task changes its state at switches and wake-ups.  At each switch the tasks that are ready are
 * charged with the run that ends, so that the waits of a task are the runs of others.
 */
#include "tools/trace/waits.h"

#include <stdlib.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"
#include "tools/base/saturate.h"

#define NOBODY SIZE_MAX

void waits_begin(struct waits *w)
{
    *w = (struct waits){.running = NOBODY};
    w->behind = xcalloc((size_t)WAIT_ROWS * WAIT_ROWS, sizeof(*w->behind));
}

void waits_free(struct waits *w)
{
    free(w->row);
    free(w->task);
    free(w->ready);
    free(w->behind);
    index_free(&w->row_of);
    index_free(&w->task_of);
}

static size_t row_place(size_t row)
{
    return row < WAIT_ROWS ? row : WAIT_ROWS - 1;
}

int64_t waits_behind(const struct waits *w, size_t of, size_t by)
{
    return w->behind[row_place(of) * WAIT_ROWS + row_place(by)];
}

static size_t row_for(struct waits *w, uint32_t id)
{
    struct wait_row *row;

    if (w->rows + 1 >= WAIT_TABLE && index_find(&w->row_of, id) == INDEX_NONE)
        id = WAIT_OTHERS;
    row = INDEX_ROW(&w->row_of, id, w->row, w->rows, &(struct wait_row){.id = id});
    return (size_t)(row - w->row);
}

/* ---- behind whom ---- */

static void charge_one(struct waits *w, struct wait_task *t, size_t by, int64_t time)
{
    int64_t *sum = &w->behind[row_place(t->row) * WAIT_ROWS + row_place(by)];

    *sum = saturate_add(*sum, time);
    if (time <= t->behind)
        return;
    t->behind = time;
    t->behind_row = by;
}

static void charge_ready(struct waits *w, struct wait_task *t, int64_t now)
{
    charge_one(w, t, w->task[w->running].row, now - (t->since > w->charged ? t->since : w->charged));
}

/* A task that was ready since the begin, but is seen only now, has waited for all who ran until then. */
static void charge_past(struct waits *w, struct wait_task *t)
{
    for (size_t r = 0; r < w->rows; r++)
        charge_one(w, t, r, w->row[r].time[WAIT_RUN]);
    if (w->running != NOBODY)
        charge_one(w, t, w->task[w->running].row, w->charged - w->task[w->running].since);
}

/* The running task has run until `now`: the ready ones have waited for it. */
static void charge(struct waits *w, int64_t now)
{
    for (size_t i = 0; w->running != NOBODY && i < w->readies; i++)
        charge_ready(w, &w->task[w->ready[i]], now);
    w->charged = now;
}

static void enter_ready(struct waits *w, size_t at)
{
    struct wait_task *t = &w->task[at];

    w->row[t->row].waits++;
    t->place = w->readies;
    t->behind = 0;
    t->behind_row = t->row;
    w->ready[w->readies++] = at;
}

/* ---- states ---- */

static void leave_ready(struct waits *w, struct wait_task *t, int64_t now)
{
    struct wait_row *row = &w->row[t->row];

    if (now - t->since > row->longest) {
        row->longest = now - t->since;
        row->longest_at = t->since;
        row->longest_behind = t->behind_row;
    }
    w->ready[t->place] = w->ready[--w->readies];
    w->task[w->ready[t->place]].place = t->place;
}

static void end_burst(struct wait_row *row, struct wait_task *t)
{
    const double burst = (double)t->burst;

    row->bursts++;
    row->burst_square += burst * burst;
    t->burst = 0;
}

static void move(struct waits *w, size_t at, enum wait_state to, int64_t now)
{
    struct wait_task *t = &w->task[at];
    int64_t *time;

    if (to == WAIT_READY && trace_task_row(t->task) == ROW_IDLE)
        to = WAIT_SLEEP;
    time = &w->row[t->row].time[t->state];
    *time = saturate_add(*time, now - t->since);
    if (w->on_stretch)
        w->on_stretch(w->context, t->row, t->state, t->since, now);
    if (t->state == WAIT_READY)
        leave_ready(w, t, now);
    if (t->state == WAIT_RUN)
        t->burst = saturate_add(t->burst, now - t->since);
    if (t->state == WAIT_RUN && (to == WAIT_SLEEP || to == WAIT_ABSENT))
        end_burst(&w->row[t->row], t);
    t->state = to;
    t->since = now;
    if (to == WAIT_READY)
        enter_ready(w, at);
}

/* From `begin` on no state is known; what is told next is of `end` or later. */
static void lose_all(struct waits *w, int64_t begin, int64_t end)
{
    charge(w, begin);
    for (size_t i = 0; i < w->tasks; i++)
        move(w, i, WAIT_UNKNOWN, begin);
    w->running = NOBODY;
    w->served = (struct wait_request){0};
    w->over = false;
    w->gaps = true;
    w->charged = end;
}

/* No image has so many at a time. */
static void forget_tasks(struct waits *w)
{
    lose_all(w, w->end, w->end);
    index_free(&w->task_of);
    w->tasks = 0;
    w->forgotten = true;
}

/* A task that is new here was in state `before` since the begin, unless something is missing. */
static size_t task_for(struct waits *w, uint64_t task, enum wait_state before)
{
    const size_t at = index_find(&w->task_of, task);
    struct wait_task *new;

    if (at != INDEX_NONE)
        return at;
    if (w->tasks == WAIT_TASKS)
        forget_tasks(w);
    GROW(w->task, w->tasks);
    GROW(w->ready, w->tasks);
    index_put(&w->task_of, task, w->tasks);
    new = &w->task[w->tasks];
    *new = (struct wait_task){
        .task = task, .row = row_for(w, trace_task_row(task)), .state = w->gaps ? WAIT_UNKNOWN : before,
        .since = w->begin,
    };
    w->row[new->row].tasks++;
    w->tasks++;
    if (new->state == WAIT_READY) {
        enter_ready(w, w->tasks - 1);
        charge_past(w, new);
    }
    return w->tasks - 1;
}

/* Who runs is known from the first event on, and again from the first after a gap. */
static void find_running(struct waits *w, const struct timeline_event *e)
{
    if (w->running != NOBODY || !(e->known & KNOWN_TASK))
        return;
    w->running = task_for(w, trace_task(e->task, e->task_number), WAIT_RUN);
    w->charged = w->gaps ? e->time : w->charged;
    move(w, w->running, WAIT_RUN, e->time);
}

static void take_switch(struct waits *w, const struct timeline_event *e)
{
    const size_t to = task_for(w, e->argument, trace_task_row(e->argument) == ROW_IDLE ? WAIT_SLEEP : WAIT_READY);

    charge(w, e->time);
    if (w->running != NOBODY) {
        const struct wait_task *from = &w->task[w->running];

        move(w, w->running, from->ended ? WAIT_ABSENT : from->asleep ? WAIT_SLEEP : WAIT_READY, e->time);
    }
    w->running = to;
    w->task[to].asleep = w->task[to].ended = false;
    move(w, to, WAIT_RUN, e->time);
}

/* The request that has just ended was this task's, and what it waited for. */
static void take_request(struct waits *w, const struct wait_task *t, int64_t now)
{
    struct wait_row *row = &w->row[t->row];
    const double length = (double)w->served.length;

    w->over = false;
    w->unowned--;
    row->requests++;
    row->io = saturate_add(row->io, t->state == WAIT_SLEEP ? now - t->since : 0);
    row->service += length;
    row->service_square += length * length;
}

static void take_wake(struct waits *w, const struct timeline_event *e)
{
    const size_t at = task_for(w, e->argument, e->class == TRACE_WAKE ? WAIT_SLEEP : WAIT_ABSENT);
    struct wait_task *t = &w->task[at];

    w->row[t->row].wakes++;
    if (w->over && e->class == TRACE_WAKE)
        take_request(w, t, e->time);
    t->asleep = t->ended = false;
    if (t->state != WAIT_RUN && t->state != WAIT_READY)
        move(w, at, WAIT_READY, e->time);
}

/* The running task goes on until the switch. */
static void take_sleep(struct waits *w, const struct timeline_event *e)
{
    const size_t at = task_for(w, e->argument, WAIT_READY);
    struct wait_task *t = &w->task[at];

    t->asleep = e->class == TRACE_SLEEP;
    t->ended = e->class == TRACE_END;
    if (t->state == WAIT_RUN)
        return;
    charge(w, e->time);
    move(w, at, t->ended ? WAIT_ABSENT : WAIT_SLEEP, e->time);
}

/* A device serves one request at a time; the task that waits for it is woken right after its end. */
static void take_io(struct waits *w, const struct timeline_event *e)
{
    if (e->class == TRACE_IO_START) {
        w->served = (struct wait_request){.argument = e->argument, .begin = e->time, .length = -1};
        return;
    }
    if (w->served.argument != e->argument || w->served.length >= 0 || e->time < w->served.begin)
        return;
    w->served.length = e->time - w->served.begin;
    w->over = true;
    w->unowned++;
}

static void take_event(struct waits *w, const struct timeline_event *e)
{
    find_running(w, e);
    if (e->class != TRACE_WAKE)
        w->over = false;
    switch (e->class) {
    case TRACE_IO_START:
    case TRACE_IO_END: take_io(w, e); break;
    case TRACE_SWITCH: take_switch(w, e); break;
    case TRACE_WAKE:
    case TRACE_START: take_wake(w, e); break;
    case TRACE_SLEEP:
    case TRACE_END: take_sleep(w, e); break;
    default: break;
    }
}

static void take_step(struct waits *w, const struct timeline_step *s)
{
    const unsigned told = KNOWN_TASK | KNOWN_MASKED;
    size_t row;

    if ((s->known & told) != told)
        return;
    w->masks = true;
    if (!s->masked || s->monitor)
        return;
    row = row_for(w, s->task);
    w->row[row].masked = saturate_add(w->row[row].masked, s->length);
}

void waits_take(struct waits *w, const struct timeline_item *item)
{
    const int64_t begin = timeline_item_begin(item), end = timeline_item_end(item);

    if (!w->begun)
        w->begin = w->end = w->charged = begin;
    w->begun = true;
    if (end > w->end)
        w->end = end;
    if (item->kind == TIMELINE_EVENT && item->event.known & KNOWN_TIME)
        take_event(w, &item->event);
    else if (item->kind == TIMELINE_GAP)
        lose_all(w, item->gap.begin, item->gap.end);
    else if (item->kind == TIMELINE_STEP)
        take_step(w, &item->step);
}

void waits_finish(struct waits *w)
{
    charge(w, w->end);
    for (size_t i = 0; i < w->tasks; i++)
        move(w, i, w->task[i].state, w->end);
}
