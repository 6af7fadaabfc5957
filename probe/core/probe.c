/* SPDX-License-Identifier: MIT */
/*
 * What happens at a tick.  docs/ACCOUNTING.md, "What an estimate is compared
 * with", says which moment belongs to whom.
 */
#include "probe/core/probe.h"

#include <stddef.h>

#include "probe/schedule/binary_digits.h"
#include "probe/schedule/copy_words.h"
#include "probe/schedule/memory.h"

static probe_recorder record_monitors, record_and_watch;

void probe_set_monitors(struct probe *p, uint32_t monitors)
{
    p->monitors = monitors;
    p->system_only = monitors == PROBE_SYSTEM;
}

void probe_prepare(struct probe *p)
{
    interval_queue_begin(&p->queue, &p->schedule);
    interval_queue_fill(&p->queue, interval_queue_most(&p->queue));
}

uint64_t probe_begin(struct probe *p, uint64_t now)
{
    p->record = p->monitors & PROBE_WATCHED ? record_and_watch : record_monitors;
    system_init(&p->system);
    for (uint32_t i = 0; i < p->regions; i++)
        region_init(&p->region[i], &p->region_request[i]);
    if (p->samples != NULL)
        p->samples->put = p->samples->taken = p->samples->lost = 0;
    memset(&p->counters, 0, sizeof p->counters);
    p->counters.begin = now;
    p->monitor = 0;
    p->close = PROBE_OPEN;
    p->check_at = 1; /* the first tick runs check_close(), which records its time */
    p->to_check = 1;
    return interval_queue_next(&p->queue);
}

/* Change one word atomically: a tick comes before the change or after it. */
static void replace(volatile uint32_t *word, uint32_t from, uint32_t to)
{
    __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void probe_request_close(struct probe *p, enum probe_close how)
{
    if (p->via_nmi) {
        replace(&p->close, PROBE_OPEN, how);
        return;
    }
    if (p->close == PROBE_CLOSED || p->close == PROBE_FINISH_REQUESTED || p->close == PROBE_STOPPED)
        return;
    p->close = how;
    p->check_at = probe_ticks(p) + 1;
    p->to_check = 1;
}

void probe_finish(struct probe *p)
{
    replace(&p->close, PROBE_CLOSED, PROBE_FINISH_REQUESTED);
    if (p->via_nmi || p->close != PROBE_FINISH_REQUESTED)
        return;
    p->check_at = probe_ticks(p) + 1;
    p->to_check = 1;
}

void probe_resume(struct probe *p)
{
    replace(&p->close, PROBE_CLOSED, PROBE_OPEN);
}

uint64_t probe_monitor_start(const struct probe *p, const struct probe_event *e)
{
    return probe_charged_from(p, e->sample.time, e->lateness, e->halted);
}

void probe_enter(struct probe *p, const struct probe_event *e)
{
    uint64_t entry = probe_monitor_start(p, e);

    if (entry < p->account->last)
        entry = p->account->last;
    account_switch_at(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p)
{
    const struct schedule schedule = interval_queue_schedule(&p->queue);
    struct probe_closed *c = &p->closed;

    c->counters = p->counters;
    copy_words(&c->system, &p->system, sizeof c->system);
    c->generator = schedule.generator;
    c->intervals = schedule.sum;
    c->monitor = probe_monitor_time(p);
    c->transitions = p->account != NULL ? account_transitions(p->account) : 0;
    c->lost_ring = p->samples != NULL ? p->samples->lost : 0;
    for (uint32_t i = 0; i < p->regions; i++)
        copy_words(&c->region[i], &p->region[i], sizeof c->region[i]);
    if (p->copy_exact_rows != NULL)
        p->copy_exact_rows(p);
}

/*
 * A tick at which a close was requested, or the last tick: the next interval, or 0.
 * The window ends where probe_enter() left the exact rows.
 */
static __attribute__((noinline)) uint64_t check_close(struct probe *p)
{
    const bool finish = p->close == PROBE_FINISH_REQUESTED;
    bool last;

    p->counters.ticks = p->check_at;
    if (!p->via_nmi)
        p->counters.end = p->exact ? p->account->last : p->clock();
    if (p->counters.ticks == 1)
        p->counters.first = p->counters.end;
    last = finish || p->close == PROBE_STOP_REQUESTED || p->counters.ticks >= p->goal;
    if (last || p->close == PROBE_CLOSE_REQUESTED) {
        if (!finish)
            close_window(p);
        p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
    }
    p->check_at = p->goal;
    p->to_check = p->goal - p->counters.ticks;
    return last ? 0 : interval_queue_next(&p->queue);
}

/*
 * A probe_recorder.  Parameters and not a struct: a struct would be built in memory on every tick.
 */
static __attribute__((noinline, flatten)) void record_monitors(struct probe *p, uint64_t time, uint64_t pc,
                                                      uint32_t task, enum mode mode, enum delay delay)
{
    const struct sample s = { time, pc, task, mode };
    const bool pair = interval_queue_pairs(&p->queue);

    if (p->monitors & PROBE_SYSTEM)
        system_tick(&p->system, &s, delay, pair);
    if (p->monitors & PROBE_REGION)
        for (uint32_t i = 0; i < p->regions; i++)
            region_tick(&p->region[i], &s, delay != DELAY_NONE, pair);
    if (p->monitors & PROBE_SAMPLES)
        samples_put(p->samples, &s, delay, probe_ticks(p));
}

/* The same, and what else wants to see each sample: by a pointer, so that without it no tick has a test more. */
static void record_and_watch(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode, enum delay delay)
{
    const struct sample s = { time, pc, task, mode };

    record_monitors(p, time, pc, task, mode, delay);
    p->watch(&s, delay);
}

static inline __attribute__((always_inline)) uint64_t
record_tick(struct probe *p, const struct probe_event *e, enum delay delay)
{
    /* Two calls with a constant `pair`, so that each is inlined for its case. */
    if (p->system_only && interval_queue_pairs(&p->queue))
        system_tick(&p->system, &e->sample, delay, true);
    else if (p->system_only)
        system_tick(&p->system, &e->sample, delay, false);
    else
        p->record(p, e->sample.time, e->sample.pc, e->sample.task, e->sample.mode, delay);
    if (--p->to_check == 0)
        return check_close(p);
    return interval_queue_next(&p->queue);
}

uint64_t probe_tick_on_time(struct probe *p, const struct probe_event *e)
{
    return record_tick(p, e, DELAY_NONE);
}

/* The part of a tick's lateness in which the peer's handlers ran, clock units. */
static uint64_t held_up_by_peer(const struct probe *p, const struct probe_event *e)
{
    const struct probe *const o = p->peer;
    uint64_t from = e->sample.time - e->lateness, to = e->sample.time;

    if (o == NULL)
        return 0;
    if (from < o->busy_from)
        from = o->busy_from;
    if (to > o->busy_to)
        to = o->busy_to;
    return to > from ? to - from : 0;
}

static inline void count_late(struct probe *p, const struct probe_event *e)
{
    const unsigned digits = binary_digits(e->lateness);

    p->counters.late++;
    p->counters.lateness += e->lateness;
    p->counters.bucket[digits < LATENESS_BUCKETS ? digits : LATENESS_BUCKETS - 1]++;
    if (!p->periodic)
        p->counters.excess += e->lateness - probe_latency_floor(p, e->halted);
}

uint64_t probe_tick_late(struct probe *p, const struct probe_event *e)
{
    struct probe_event own = *e;

    own.lateness -= held_up_by_peer(p, &own);
    if (!probe_is_late(p, &own))
        return record_tick(p, e, DELAY_NONE);
    count_late(p, &own);
    return record_tick(p, e, e->enabled ? DELAY_STOLEN : DELAY_MASKED);
}

/* Requests are read here, once per tick: an NMI may interrupt the task that makes one. */
uint64_t probe_tick_nmi(struct probe *p, const struct probe_event *e)
{
    bool late;

    if (p->close == PROBE_CLOSE_REQUESTED || p->close == PROBE_STOP_REQUESTED || p->close == PROBE_FINISH_REQUESTED) {
        p->check_at = probe_ticks(p) + 1;
        p->to_check = 1;
    }
    p->counters.end = probe_monitor_start(p, e);
    late = probe_is_late(p, e);
    if (late) /* NMI ticks have no peer */
        count_late(p, e);
    return record_tick(p, e, late ? DELAY_STOLEN : DELAY_NONE);
}
