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
    p->counters.end = now;
    p->monitor = 0;
    p->close = PROBE_OPEN;
    return schedule_next(&p->schedule);
}

static const struct probe_lateness *lateness_of(const struct probe *p,
                                                const struct probe_event *e)
{
    return e->halted ? &p->halted : &p->running;
}

/*
 * The piece from expiry to entry is nobody's time, so far as it is the floor;
 * what is beyond was masked, and is accounted already to the cell that masked.
 */
void probe_enter(struct probe *p, const struct probe_event *e)
{
    const uint64_t floor = lateness_of(p, e)->floor;
    uint64_t entry = e->sample.time - (e->lateness < floor ? e->lateness : floor);

    if (entry < p->account->last)
        entry = p->account->last;
    account_to(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p, bool last)
{
    struct probe_closed *c = &p->closed;

    c->counters = p->counters;
    c->system = p->system;
    c->generator = p->schedule.generator;
    c->intervals = p->schedule.sum;
    c->monitor = p->monitor;
    c->transitions = p->account != 0 ? p->account->transitions : 0;
    p->copy_rows();
    p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
}

uint64_t probe_tick(struct probe *p, const struct probe_event *e)
{
    const struct probe_lateness *known = lateness_of(p, e);
    const bool late = e->lateness > known->late;
    bool last;

    p->counters.ticks++;
    p->counters.end = e->sample.time - e->lateness;
    if (late) {
        p->counters.late++;
        p->counters.excess += e->lateness - known->floor;
    }
    if (p->monitor_system)
        system_tick(&p->system, &e->sample, late, p->schedule.pair);
    last = p->close == PROBE_LAST || p->counters.ticks == p->goal;
    if (p->close == PROBE_WANTED || last)
        close_window(p, last);
    return last ? 0 : schedule_next(&p->schedule);
}
