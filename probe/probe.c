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
    return schedule_next(&p->schedule);
}

void probe_ask(struct probe *p, enum probe_close how)
{
    if (p->close == PROBE_CLOSED || p->close == PROBE_STOPPED)
        return;
    p->close = how;
    p->look_at = 0;
}

void probe_resume(struct probe *p)
{
    if (p->close == PROBE_CLOSED)
        p->close = PROBE_OPEN;
}

/*
 * The piece from expiry to entry is nobody's time, so far as it is the floor;
 * what is beyond was masked, and is accounted already to the cell that masked.
 */
void probe_enter(struct probe *p, const struct probe_event *e)
{
    const uint64_t floor = e->halted ? p->halted.floor : p->running.floor;
    uint64_t entry = e->sample.time - (e->lateness < floor ? e->lateness : floor);

    if (entry < p->account->last)
        entry = p->account->last;
    account_to(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p, uint64_t expiry)
{
    struct probe_closed *c = &p->closed;

    p->counters.end = expiry;
    c->counters = p->counters;
    c->system = p->system;
    c->generator = p->schedule.generator;
    c->intervals = p->schedule.sum;
    c->monitor = p->monitor;
    c->transitions = p->account->transitions;
    p->copy_rows();
}

/* A tick at which somebody wants to see, or that is the last: the interval, or 0. */
static __attribute__((noinline)) uint64_t look(struct probe *p, uint64_t expiry)
{
    const bool last = p->close == PROBE_LAST || p->counters.ticks >= p->goal;

    if (last || p->close == PROBE_WANTED) {
        close_window(p, expiry);
        p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
    }
    p->look_at = p->goal;
    return last ? 0 : schedule_next(&p->schedule);
}

/* Out of HLT a tick may come later than out of running code and be in time. */
static inline bool is_late(const struct probe *p, const struct probe_event *e)
{
    return e->lateness > p->running.late && (!e->halted || e->lateness > p->halted.late);
}

uint64_t probe_tick(struct probe *p, const struct probe_event *e)
{
    const bool late = is_late(p, e);

    p->counters.ticks++;
    if (late) {
        p->counters.late++;
        p->counters.excess += e->lateness - (e->halted ? p->halted.floor : p->running.floor);
    }
    if (p->monitor_system)
        system_tick(&p->system, &e->sample, late, p->schedule.pair);
    if (p->counters.ticks >= p->look_at)
        return look(p, e->sample.time - e->lateness);
    return schedule_next(&p->schedule);
}
