/* SPDX-License-Identifier: MIT */
/*
 * What happens at a tick.  docs/ACCOUNTING.md, "What an estimate is compared
 * with", says which moment belongs to whom.
 */
#include "probe/core/probe.h"

#include "probe/core/memory.h"

void probe_watch(struct probe *p, uint32_t monitors)
{
    p->monitors = monitors;
    p->system_alone = monitors == PROBE_SYSTEM;
}

void probe_prepare(struct probe *p)
{
    ahead_begin(&p->ahead, &p->schedule);
    ahead_fill(&p->ahead, AHEAD_ROOM / 4); /* until the task comes to it */
}

uint64_t probe_begin(struct probe *p, uint64_t now)
{
    system_init(&p->system);
    for (uint32_t i = 0; i < p->regions; i++)
        region_init(&p->region[i], &p->watched[i]);
    p->samples.put = p->samples.taken = p->samples.lost = 0;
    memset(&p->counters, 0, sizeof p->counters);
    p->counters.begin = now;
    p->monitor = 0;
    p->close = PROBE_OPEN;
    p->look_at = 1; /* the first tick is looked at: when it came is told */
    p->left = 1;
    return ahead_next(&p->ahead);
}

/* One word, at once: a tick may come before it and after it, and not in between. */
static void swap(volatile uint32_t *word, uint32_t from, uint32_t to)
{
    __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void probe_ask(struct probe *p, enum probe_close how)
{
    if (p->unmasked) {
        swap(&p->close, PROBE_OPEN, how);
        return;
    }
    if (p->close == PROBE_CLOSED || p->close == PROBE_ENOUGH || p->close == PROBE_STOPPED)
        return;
    p->close = how;
    p->look_at = probe_ticks(p) + 1;
    p->left = 1;
}

void probe_enough(struct probe *p)
{
    swap(&p->close, PROBE_CLOSED, PROBE_ENOUGH);
    if (p->unmasked || p->close != PROBE_ENOUGH)
        return;
    p->look_at = probe_ticks(p) + 1;
    p->left = 1;
}

void probe_resume(struct probe *p)
{
    swap(&p->close, PROBE_CLOSED, PROBE_OPEN);
}

static inline uint64_t floor_of(const struct probe *p, const struct probe_event *e)
{
    return e->halted ? p->halted.floor : p->running.floor;
}

/*
 * The piece from expiry to entry is nobody's time, so far as it is the floor;
 * what is beyond was masked, and is accounted already to the cell that masked.
 */
static inline uint64_t nobodys(const struct probe *p, const struct probe_event *e)
{
    const uint64_t floor = floor_of(p, e);

    return e->lateness < floor ? e->lateness : floor;
}

uint64_t probe_monitors_from(const struct probe *p, const struct probe_event *e)
{
    return e->sample.time - nobodys(p, e);
}

void probe_enter(struct probe *p, const struct probe_event *e)
{
    uint64_t entry = e->sample.time - nobodys(p, e);

    if (entry < p->account->last)
        entry = p->account->last;
    account_to(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p)
{
    const struct schedule schedule = ahead_schedule(&p->ahead);
    struct probe_closed *c = &p->closed;

    c->counters = p->counters;
    c->system = p->system;
    c->generator = schedule.generator;
    c->intervals = schedule.sum;
    c->monitor = probe_monitor_time(p);
    c->transitions = account_transitions(p->account);
    c->lost_ring = p->samples.lost;
    for (uint32_t i = 0; i < p->regions; i++)
        c->region[i] = p->region[i];
    p->copy_rows(p);
}

/*
 * A tick at which somebody wants to see, or that is the last: the interval, or 0.
 * The exact rows stand where probe_enter() left them: there the window ends.
 */
static __attribute__((noinline)) uint64_t look(struct probe *p)
{
    const bool enough = p->close == PROBE_ENOUGH;
    bool last;

    p->counters.ticks = p->look_at;
    if (!p->unmasked)
        p->counters.end = p->exact ? p->account->last : p->clock();
    if (p->counters.ticks == 1)
        p->counters.first = p->counters.end;
    last = enough || p->close == PROBE_LAST || p->counters.ticks >= p->goal;
    if (last || p->close == PROBE_WANTED) {
        if (!enough)
            close_window(p);
        p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
    }
    p->look_at = p->goal;
    p->left = p->goal - p->counters.ticks;
    return last ? 0 : ahead_next(&p->ahead);
}

/*
 * Whatever monitors are on, where it is not the system monitor alone.  The facts
 * come one by one: a struct of them would have to be laid down in memory first,
 * in the way of every tick.
 */
static __attribute__((noinline)) void record(struct probe *p, uint64_t time, uint64_t pc,
                                             uint32_t task, enum mode mode, enum delay delay)
{
    const struct sample s = { time, pc, task, mode };
    const bool pair = ahead_pair(&p->ahead);

    if (p->monitors & PROBE_SYSTEM)
        system_tick(&p->system, &s, delay, pair);
    if (p->monitors & PROBE_REGION)
        for (uint32_t i = 0; i < p->regions; i++)
            region_tick(&p->region[i], &s, delay != DELAY_NONE, pair);
    if (p->monitors & PROBE_SAMPLES)
        samples_put(&p->samples, &s, delay, probe_ticks(p));
}

static inline __attribute__((always_inline)) uint64_t
take(struct probe *p, const struct probe_event *e, enum delay delay)
{
    /* Two calls, so that each is made straight for its case. */
    if (p->system_alone && ahead_pair(&p->ahead))
        system_tick(&p->system, &e->sample, delay, true);
    else if (p->system_alone)
        system_tick(&p->system, &e->sample, delay, false);
    else
        record(p, e->sample.time, e->sample.pc, e->sample.task, e->sample.mode, delay);
    if (--p->left == 0)
        return look(p);
    return ahead_next(&p->ahead);
}

uint64_t probe_tick_timely(struct probe *p, const struct probe_event *e)
{
    return take(p, e, DELAY_NONE);
}

/* What of a tick's wait the other source's handlers took. */
static uint64_t held(const struct probe *p, const struct probe_event *e)
{
    const struct probe *const o = p->other;
    uint64_t from = e->sample.time - e->lateness, to = e->sample.time;

    if (o == NULL)
        return 0;
    if (from < o->held_from)
        from = o->held_from;
    if (to > o->held_to)
        to = o->held_to;
    return to > from ? to - from : 0;
}

static inline void count_late(struct probe *p, const struct probe_event *e)
{
    const unsigned digits = e->lateness != 0 ? 64 - (unsigned)__builtin_clzll(e->lateness) : 0;

    p->counters.late++;
    p->counters.lateness += e->lateness;
    p->counters.bucket[digits < LATENESS_BUCKETS ? digits : LATENESS_BUCKETS - 1]++;
    if (!p->repeats)
        p->counters.excess += e->lateness - floor_of(p, e);
}

uint64_t probe_tick_late(struct probe *p, const struct probe_event *e)
{
    struct probe_event own = *e;

    own.lateness -= held(p, &own);
    if (!probe_is_late(p, &own))
        return take(p, e, DELAY_NONE);
    count_late(p, &own);
    return take(p, e, e->enabled ? DELAY_STOLEN : DELAY_MASKED);
}

/* What is asked for is looked at here, where no task can be half-way through asking. */
uint64_t probe_unmasked_tick(struct probe *p, const struct probe_event *e)
{
    bool late;

    if (p->close == PROBE_WANTED || p->close == PROBE_LAST || p->close == PROBE_ENOUGH) {
        p->look_at = probe_ticks(p) + 1;
        p->left = 1;
    }
    p->counters.end = probe_monitors_from(p, e);
    late = probe_is_late(p, e);
    if (late) /* it is alone */
        count_late(p, e);
    return take(p, e, late ? DELAY_STOLEN : DELAY_NONE);
}
