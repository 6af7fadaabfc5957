/* SPDX-License-Identifier: MIT */
/* Makes the parts of HELLO, SNAPSHOT and raw samples that follow from the core alone. */
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

struct wire_snapshot points_of(const struct probe *p)
{
    const struct probe_counters *const c = &p->closed.counters;
    const struct probe_arrivals *const a = &c->arrivals;

    if (p->relative)
        return (struct wire_snapshot){ .points = 0 };
    return (struct wire_snapshot){
        .points = c->points, .in_handler = c->in_handler, .arrivals = a->count, .arrived = wire_zigzag(a->sum),
        .earliest = a->count != 0 ? wire_zigzag(a->least) : 0, .latest = a->count != 0 ? wire_zigzag(a->most) : 0,
    };
}
