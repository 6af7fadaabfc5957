/* SPDX-License-Identifier: MIT */
/* Pairs of events; what a gap separates is not a pair. */
#include "tools/trace/durations.h"

#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/saturate.h"

/* As the histogram of lateness (docs/ACCOUNTING.md) where no width is given. */

void duration_histogram_begin(struct duration_histogram *h, uint64_t width)
{
    memset(h, 0, sizeof(*h));
    h->width = width;
}

static unsigned bucket_of(const struct duration_histogram *h, int64_t length)
{
    uint64_t bucket;

    if (length <= 0)
        return 0;
    bucket = h->width ? (uint64_t)length / h->width : 64 - (unsigned)__builtin_clzll((uint64_t)length);
    return bucket < DURATION_BUCKETS ? (unsigned)bucket : DURATION_BUCKETS - 1;
}

void duration_histogram_add(struct duration_histogram *h, int64_t begin, int64_t length)
{
    h->bucket[bucket_of(h, length)]++;
    if (!h->count || length < h->least)
        h->least = length;
    if (!h->count || length > h->greatest) {
        h->greatest = length;
        h->greatest_at = begin;
    }
    h->count++;
    h->total = saturate_add(h->total, length);
}

double duration_histogram_mean(const struct duration_histogram *h)
{
    return h->count ? (double)h->total / (double)h->count : 0.0;
}

void duration_histogram_range(const struct duration_histogram *h, unsigned *first, unsigned *end)
{
    *first = *end = 0;
    for (unsigned b = 0; b < DURATION_BUCKETS; b++) {
        if (!h->bucket[b])
            continue;
        if (!*end)
            *first = b;
        *end = b + 1;
    }
}

uint64_t duration_histogram_from(const struct duration_histogram *h, unsigned bucket)
{
    return h->width ? h->width * bucket : bucket ? (uint64_t)1 << (bucket - 1) : 0;
}

#define TASKS_MOST 65536 /* then all are forgotten: no image has so many at a time */

/* Durations that are being told. */
struct told {
    struct duration *ended;
    unsigned count;
};

void durations_begin(struct durations *d)
{
    memset(d, 0, sizeof(*d));
    d->tick = DURATION_NEVER;
}

void durations_free(struct durations *d)
{
    index_free(&d->task_of);
    free(d->task);
    durations_begin(d);
}

static struct duration_task *task_of(struct durations *d, uint64_t task)
{
    static const struct duration_task unknown = {
        .run = DURATION_NEVER, .ready = DURATION_NEVER, .sleep = DURATION_NEVER, .woke = DURATION_NEVER,
        .first_run = DURATION_NEVER, .call = {DURATION_NEVER, DURATION_NEVER},
    };

    if (d->tasks == TASKS_MOST && index_find(&d->task_of, task) == INDEX_NONE)
        durations_free(d);
    return INDEX_ROW(&d->task_of, task, d->task, d->tasks, &unknown);
}

static void tell(struct told *t, enum duration_kind kind, uint64_t task, uint64_t number, int64_t begin, int64_t end)
{
    if (begin != DURATION_NEVER)
        t->ended[t->count++] = (struct duration){kind, task, true, number, begin, end - begin};
}

/* The same, once: it has no begin any more. */
static void tell_once(struct told *t, enum duration_kind kind, uint64_t task, uint64_t number, int64_t *begin,
                      int64_t end)
{
    tell(t, kind, task, number, *begin, end);
    *begin = DURATION_NEVER;
}

/* ---- tasks ---- */

static void take_switch(struct durations *d, const struct timeline_event *e, struct told *t)
{
    struct duration_task *to;

    if (e->known & KNOWN_TASK) {
        const uint64_t from = trace_task(e->task, e->task_number);

        tell_once(t, DURATION_RUN, from, 0, &task_of(d, from)->run, e->time);
    }
    to = task_of(d, e->argument);
    to->run = e->time;
    tell_once(t, DURATION_READY, e->argument, 0, &to->ready, e->time);
    tell_once(t, DURATION_LATENCY, e->argument, 0, &to->first_run, e->time);
}

static void take_wake(struct durations *d, const struct timeline_event *e, struct told *t)
{
    struct duration_task *task = task_of(d, e->argument);

    tell_once(t, DURATION_SLEEP, e->argument, 0, &task->sleep, e->time);
    task->ready = task->woke = task->first_run = e->time;
}

static void take_sleep(struct durations *d, const struct timeline_event *e, struct told *t)
{
    struct duration_task *task = task_of(d, e->argument);

    tell_once(t, DURATION_RESPONSE, e->argument, 0, &task->woke, e->time);
    task->sleep = e->class == TRACE_SLEEP ? e->time : DURATION_NEVER;
    task->ready = task->first_run = DURATION_NEVER;
}

/* Enter and exit of the running task. */
static void take_call(struct durations *d, const struct timeline_event *e, struct told *t)
{
    const bool service = e->class == TRACE_SERVICE_ENTER || e->class == TRACE_SERVICE_EXIT;
    const uint64_t task = trace_task(e->task, e->task_number);
    struct duration_task *of;

    if (!(e->known & KNOWN_TASK))
        return;
    of = task_of(d, task);
    if (e->class == TRACE_SYSCALL_ENTER || e->class == TRACE_SERVICE_ENTER) {
        of->call[service] = e->time;
        of->number[service] = e->argument;
    } else {
        tell_once(t, service ? DURATION_SERVICE : DURATION_SYSCALL, task, of->number[service], &of->call[service],
                  e->time);
    }
}

/* ---- what belongs to no task ---- */

static struct duration begun(const struct timeline_event *e, enum duration_kind kind)
{
    return (struct duration){kind, trace_task(e->task, e->task_number), e->known & KNOWN_TASK, e->argument, e->time,
                             0};
}

static void take_interrupt(struct durations *d, const struct timeline_event *e, struct told *t)
{
    if (e->class == TRACE_IRQ_ENTER) {
        if (d->nested < DURATION_NESTED)
            d->nest[d->nested++] = begun(e, DURATION_INTERRUPT);
        return;
    }
    if (!d->nested)
        return;
    d->nested--;
    if (d->nest[d->nested].number != (uint32_t)e->argument)
        return; /* one of them did not arrive */
    t->ended[t->count] = d->nest[d->nested];
    t->ended[t->count++].length = e->time - d->nest[d->nested].begin;
}

static void take_io(struct durations *d, const struct timeline_event *e, struct told *t)
{
    unsigned i = 0;

    while (i < d->ios && d->io[i].number != e->argument)
        i++;
    if (e->class == TRACE_IO_START) {
        if (i == d->ios)
            i = d->ios < DURATION_DEVICES ? d->ios++ : DURATION_DEVICES - 1;
        d->io[i] = begun(e, DURATION_IO);
    } else if (i < d->ios) {
        t->ended[t->count] = d->io[i];
        t->ended[t->count].number &= 0xff;
        t->ended[t->count++].length = e->time - d->io[i].begin;
        d->io[i] = d->io[--d->ios];
    }
}

static void take_tick(struct durations *d, const struct timeline_event *e, struct told *t)
{
    if (e->class == TRACE_TICK_ENTER)
        d->tick = e->time;
    else
        tell_once(t, DURATION_TICK, trace_task(e->task, e->task_number), 0, &d->tick, e->time);
}

static void take_event(struct durations *d, const struct timeline_event *e, struct told *t)
{
    switch (e->class) {
    case TRACE_SWITCH: take_switch(d, e, t); break;
    case TRACE_READY: task_of(d, e->argument)->ready = e->time; break;
    case TRACE_WAKE:
    case TRACE_START: take_wake(d, e, t); break;
    case TRACE_SLEEP:
    case TRACE_END: take_sleep(d, e, t); break;
    case TRACE_SYSCALL_ENTER:
    case TRACE_SYSCALL_EXIT:
    case TRACE_SERVICE_ENTER:
    case TRACE_SERVICE_EXIT: take_call(d, e, t); break;
    case TRACE_IRQ_ENTER:
    case TRACE_IRQ_EXIT: take_interrupt(d, e, t); break;
    case TRACE_IO_START:
    case TRACE_IO_END: take_io(d, e, t); break;
    case TRACE_TICK_ENTER:
    case TRACE_TICK_EXIT: take_tick(d, e, t); break;
    default: break;
    }
}

/* Interrupts that stay off over a switch of tasks are one stretch, of the task where it began. */
static void take_step(struct durations *d, const struct timeline_step *s, struct told *t)
{
    const bool masked = s->known & KNOWN_MASKED && s->masked && !s->monitor;

    if (masked && !d->is_masked)
        d->masked = (struct duration){DURATION_MASKED, s->task, s->known & KNOWN_TASK, 0, s->begin, 0};
    if (masked)
        d->masked.length = s->begin + s->length - d->masked.begin;
    else if (d->is_masked)
        t->ended[t->count++] = d->masked;
    d->is_masked = masked;
}

unsigned durations_take(struct durations *d, const struct timeline_item *item, struct duration ended[DURATION_MOST])
{
    struct told t = {ended, 0};

    if (item->kind == TIMELINE_GAP)
        durations_free(d);
    else if (item->kind == TIMELINE_STEP)
        take_step(d, &item->step, &t);
    else if (item->event.known & KNOWN_TIME)
        take_event(d, &item->event, &t);
    return t.count;
}

/* ---- names ---- */

static const struct {
    const char *name, *what;
} kinds[] = {
    [DURATION_RUN] = {"run", "from the switch to a task to the next switch"},
    [DURATION_READY] = {"ready", "ready, and not running"},
    [DURATION_SLEEP] = {"sleep", "from going to sleep to the wake-up"},
    [DURATION_LATENCY] = {"latency", "from the wake-up to running"},
    [DURATION_RESPONSE] = {"response", "from the wake-up to the next sleep"},
    [DURATION_SYSCALL] = {"syscall", "a system call, by number"},
    [DURATION_SERVICE] = {"service", "a supervisor service, by number"},
    [DURATION_INTERRUPT] = {"interrupt", "an interrupt's handler, by vector"},
    [DURATION_TICK] = {"tick", "the tick's handler"},
    [DURATION_IO] = {"io", "a request of a device, by device"},
    [DURATION_MASKED] = {"masked", "interrupts off without a break"},
};

const char *duration_name(enum duration_kind kind)
{
    return kinds[kind].name;
}

const char *duration_what(enum duration_kind kind)
{
    return kinds[kind].what;
}

enum duration_kind duration_named(const char *name)
{
    for (unsigned kind = 0; kind < DURATION_KINDS; kind++)
        if (!strcmp(name, kinds[kind].name))
            return (enum duration_kind)kind;
    return DURATION_KINDS;
}
