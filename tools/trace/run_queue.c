/* SPDX-License-Identifier: MIT */
/* Between two events the queue does not change, and the averages go towards its length exponentially. */
#include "tools/trace/run_queue.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"

static const double minutes[LOAD_AVERAGES] = {1, 5, 15};

/* The weight that is left of what was `seconds` ago. */
static double left(unsigned i, double seconds)
{
    return exp(-seconds / (60.0 * minutes[i]));
}

bool run_queue_begin(struct run_queue *q, double hz, uint64_t ticks, int64_t begin, int64_t end)
{
    const double tick = hz / (double)ticks, every = LOAD_LOOK_S * hz + tick;

    if (begin < 0 || end < begin || (double)(end - begin) / every > RUN_QUEUE_LOOKS)
        return false;
    *q = (struct run_queue){.hz = hz, .begin = begin, .now = begin, .tick = (int64_t)tick,
                            .looks = (size_t)((double)(end - begin) / every)};
    q->look = xrealloc_array(NULL, q->looks + 1, sizeof(*q->look));
    for (size_t k = 0; k < q->looks; k++)
        q->look[k] = (struct run_queue_look){.time = begin + (int64_t)((double)(k + 1) * every), .least = INFINITY,
                                             .most = 0.0};
    waits_begin(&q->waits);
    return true;
}

void run_queue_free(struct run_queue *q)
{
    waits_free(&q->waits);
    free(q->look);
}

static double queued(const struct waits *w)
{
    const bool busy = w->running != SIZE_MAX && w->row[w->task[w->running].row].id != ROW_IDLE;

    return (double)w->readies + busy;
}

static void step(struct run_queue *q, int64_t to)
{
    const double n = queued(&q->waits), seconds = (double)(to - q->now) / q->hz;

    for (unsigned i = 0; i < LOAD_AVERAGES; i++)
        q->average[i] = n + (q->average[i] - n) * left(i, seconds);
    q->seconds += seconds;
    q->area += n * seconds;
    q->square += n * n * seconds;
    q->now = to;
}

static void note(struct run_queue_look *l, double n)
{
    l->least = fmin(l->least, n);
    l->most = fmax(l->most, n);
}

/* A look that is due and has not come finds it, if it comes now. */
static void note_length(struct run_queue *q)
{
    if (q->passed && q->now <= q->look[q->passed - 1].time + q->tick)
        note(&q->look[q->passed - 1], queued(&q->waits));
}

static void advance(struct run_queue *q, int64_t to)
{
    for (; q->passed < q->looks && q->look[q->passed].time <= to; q->passed++) {
        step(q, q->look[q->passed].time);
        for (unsigned i = 0; i < LOAD_AVERAGES; i++)
            q->look[q->passed].average[i] = q->average[i];
        note(&q->look[q->passed], queued(&q->waits));
    }
    if (to > q->now)
        step(q, to);
}

/* One task more was in the queue from `since` until now: in the averages, and in those of the looks in between. */
static void add_blocked(struct run_queue *q, int64_t since)
{
    since = since > q->begin ? since : q->begin;
    if (since >= q->now)
        return;
    q->blocked += (double)(q->now - since) / q->hz;
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        q->average[i] += 1.0 - left(i, (double)(q->now - since) / q->hz);
        for (size_t k = q->passed; k-- > 0 && q->look[k].time > since;)
            q->look[k].average[i] += 1.0 - left(i, (double)(q->look[k].time - since) / q->hz);
    }
    for (size_t k = q->passed; k-- > 0 && q->look[k].time + q->tick >= since;) {
        q->look[k].most++;
        q->look[k].least += q->look[k].time >= since && q->look[k].time + q->tick <= q->now;
    }
}

/* The task that this event wakes because its request of a device is over has waited since then; else INT64_MAX. */
static int64_t blocked_since(const struct waits *w, const struct timeline_event *e)
{
    size_t at;

    if (e->class != TRACE_WAKE || !w->over || (at = index_find(&w->task_of, e->argument)) == INDEX_NONE)
        return INT64_MAX;
    return w->task[at].state == WAIT_SLEEP ? w->task[at].since : INT64_MAX;
}

static void take_event(struct run_queue *q, const struct timeline_item *item)
{
    const int64_t since = blocked_since(&q->waits, &item->event);

    advance(q, item->event.time);
    add_blocked(q, since);
    waits_take(&q->waits, item);
    note_length(q);
    q->any = true;
}

void run_queue_take(struct run_queue *q, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_EVENT && item->event.known & KNOWN_TIME)
        take_event(q, item);
    if (item->kind != TIMELINE_GAP)
        return;
    advance(q, item->gap.begin);
    waits_take(&q->waits, item);
    q->gaps = true;
}

void run_queue_finish(struct run_queue *q, int64_t end)
{
    advance(q, end);
}

double run_queue_mean(const struct run_queue *q)
{
    return q->seconds > 0.0 ? (q->area + q->blocked) / q->seconds : 0.0;
}

uint64_t run_queue_looked(const struct run_queue *q, unsigned i, bool most)
{
    static const uint64_t weight[LOAD_AVERAGES] = {LOAD_WEIGHT1, LOAD_WEIGHT5, LOAD_WEIGHT15};
    uint64_t average = 0;

    for (size_t k = 0; k < q->looks; k++)
        average = load_average_next(average, weight[i], (uint64_t)(most ? q->look[k].most : q->look[k].least));
    return average;
}

double run_queue_noise(const struct run_queue *q, unsigned i)
{
    const double mean = q->seconds > 0.0 ? q->area / q->seconds : 0.0, blocked = run_queue_mean(q) - mean;
    const double variance = q->seconds > 0.0 ? q->square / q->seconds - mean * mean + blocked : 0.0;
    const double keeps = left(i, (double)LOAD_LOOK_S), all = pow(keeps, 2.0 * (double)q->looks);

    return sqrt(fmax(0.0, variance) * (1.0 - keeps) / (1.0 + keeps) * (1.0 - all));
}
