/* SPDX-License-Identifier: MIT */
/*
 * What happens at a tick.  docs/ACCOUNTING.md, "What an estimate is compared
 * with", says which moment belongs to whom.
 */
#include "probe/probe.h"

#include "probe/memory.h"

uint64_t probe_begin(struct probe *p, uint64_t now)
{
    system_init(&p->system);
    memset(&p->counters, 0, sizeof p->counters);
    p->counters.begin = now;
    p->monitor = 0;
    p->close = PROBE_OPEN;
    p->look_at = p->goal;
    p->left = p->goal;
    return schedule_next(&p->schedule);
}

void probe_ask(struct probe *p, enum probe_close how)
{
    if (p->close == PROBE_CLOSED || p->close == PROBE_STOPPED)
        return;
    p->close = how;
    p->look_at = probe_ticks(p) + 1;
    p->left = 1;
}

void probe_resume(struct probe *p)
{
    if (p->close == PROBE_CLOSED)
        p->close = PROBE_OPEN;
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

void probe_enter(struct probe *p, const struct probe_event *e)
{
    uint64_t entry = e->sample.time - nobodys(p, e);

    if (entry < p->account->last)
        entry = p->account->last;
    account_to(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p)
{
    struct probe_closed *c = &p->closed;

    c->counters = p->counters;
    c->system = p->system;
    c->generator = p->schedule.generator;
    c->intervals = p->schedule.sum;
    c->monitor = p->monitor;
    c->transitions = p->account->transitions;
    p->copy_rows();
}

/* Out of HLT a tick may come later than out of running code and be in time. */
static inline bool is_late(const struct probe *p, const struct probe_event *e)
{
    return e->lateness > p->running.late && (!e->halted || e->lateness > p->halted.late);
}

/*
 * A tick at which somebody wants to see, or that is the last: the interval, or 0.
 * The exact rows stand where probe_enter() left them: there the window ends.
 */
static __attribute__((noinline)) uint64_t look(struct probe *p)
{
    bool last;

    p->counters.ticks = p->look_at;
    p->counters.end = p->exact ? p->account->last : p->clock();
    last = p->close == PROBE_LAST || p->counters.ticks >= p->goal;
    if (last || p->close == PROBE_WANTED) {
        close_window(p);
        p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
    }
    p->look_at = p->goal;
    p->left = p->goal - p->counters.ticks;
    return last ? 0 : schedule_next(&p->schedule);
}

uint64_t probe_tick(struct probe *p, const struct probe_event *e)
{
    const bool late = is_late(p, e);

    if (late) {
        p->counters.late++;
        p->counters.excess += e->lateness - floor_of(p, e);
    }
    if (p->monitor_system)
        system_tick(&p->system, &e->sample, late, p->schedule.pair);
    if (--p->left == 0)
        return look(p);
    return schedule_next(&p->schedule);
}
