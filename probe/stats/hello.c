/* SPDX-License-Identifier: MIT */
/* Makes the parts of HELLO, SNAPSHOT, REGION and raw samples that follow from the core alone. */
#include "probe/stats/hello.h"

#include "probe/stream/version.h"

struct wire_hello hello_of(const struct probe *p, uint64_t epoch, uint64_t seed)
{
    return (struct wire_hello){
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = epoch, .seed = seed,
        .floor = p->running.floor, .halt_floor = p->halted.floor, .late = p->running.late,
        .halt_late = p->halted.late,
        .mean = p->schedule.mean, .unit = p->relative ? 0 : 1ull << p->shift,
        .version = { CPUPROBE_VERSION, sizeof CPUPROBE_VERSION - 1 },
    };
}

struct sample_setting sample_setting_of(const struct probe *p, const struct schedule *schedule, uint64_t source_clock,
                                        uint64_t lead)
{
    return (struct sample_setting){
        .schedule = *schedule, .points = !p->relative,
        .source_clock = p->relative ? source_clock : 65536ull << p->shift, .handler = p->relative ? lead : 0,
    };
}

/* Nothing where ticks have no points. */
static void add_points(struct wire_snapshot *head, const struct probe_counters *c)
{
    const struct probe_arrivals *const a = &c->arrivals;

    head->points = c->points;
    head->in_handler = c->in_handler;
    head->arrivals = a->count;
    head->arrived = wire_zigzag(a->sum);
    head->earliest = a->count != 0 ? wire_zigzag(a->least) : 0;
    head->latest = a->count != 0 ? wire_zigzag(a->most) : 0;
}

struct wire_snapshot snapshot_head_of(const struct probe *p, uint64_t start)
{
    const struct probe_closed *const d = &p->closed;
    const struct probe_counters *const c = &d->counters;
    struct wire_snapshot head = {
        .ticks = c->ticks, .samples = p->monitors != 0 ? c->ticks : 0, .late = c->late, .excess = c->excess,
        .missed_overrun = c->missed_overrun, .missed_source = c->missed_source,
        .lost_table = d->system.lost.hits[MODES], .lost_ring = d->lost_ring,
        .begin = c->begin - start, .end = c->end - start, .first = c->first != 0 ? c->first - start : 0,
        .monitor = d->monitor, .transitions = d->transitions, .generator = d->generator,
        .intervals = d->intervals, .lateness = c->lateness, .regions = p->regions,
        .changes_user = d->system.mode_changes[MODE_USER],
        .changes_supervisor = d->system.mode_changes[MODE_SUPERVISOR],
        .changes_kernel = d->system.mode_changes[MODE_KERNEL],
        .changes_interrupt = d->system.mode_changes[MODE_INTERRUPT],
    };

    if (!p->relative)
        add_points(&head, c);
    return head;
}

struct wire_region region_head_of(const struct probe *p, uint32_t number)
{
    const struct region *const r = &p->closed.region[number];
    const struct region_request *const q = &p->region_request[number];

    return (struct wire_region){
        .number = number, .task = q->task, .mode = (uint64_t)q->mode, .low = q->low, .high = q->high, .base = r->base,
        .shift = r->shift, .below = r->hits[REGION_BELOW], .above = r->hits[REGION_ABOVE], .active = region_active(r),
        .changes_below = r->changes[REGION_BELOW], .changes_above = r->changes[REGION_ABOVE],
        .changes_active = r->changes_active,
    };
}
