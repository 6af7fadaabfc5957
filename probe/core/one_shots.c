/* SPDX-License-Identifier: MIT */
/* One-shots in series. */
#include "probe/core/one_shots.h"

#include "probe/core/order_statistics.h"
#include "probe/core/timed.h"
#include "probe/schedule/arithmetic.h"

#define REPEATS 3

uint64_t one_shots_shortest(const struct one_shots *s, uint32_t counts)
{
    uint64_t shortest = UINT64_MAX;

    for (int i = 0; i < REPEATS; i++) {
        const uint64_t took = s->fire(s->timer, counts, false);

        if (took == 0)
            return 0;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

struct one_shots_rate one_shots_rate(const struct one_shots *s, uint32_t few, uint32_t many, uint32_t timer_hz)
{
    const uint64_t shorter = one_shots_shortest(s, few), longer = shorter != 0 ? one_shots_shortest(s, many) : 0;
    const uint32_t counts = many - few;

    if (longer == 0)
        return (struct one_shots_rate){ 0, 0 };
    if (longer <= shorter)
        return (struct one_shots_rate){ timer_hz, 0 };
    return (struct one_shots_rate){
        .hz = divide64((longer - shorter) * timer_hz, counts),
        .per_65536 = divide64(((longer - shorter) << 16) + counts / 2, counts),
    };
}

unsigned one_shots_series(const struct one_shots *s, const struct one_shots_lengths *l, bool halt, uint64_t *latency,
                          unsigned shots)
{
    for (unsigned i = 0, length = 0; i < shots; i++, length = length + 1 < l->lengths ? length + 1 : 0) {
        const uint32_t longer = l->first + l->step * length, counts = longer < l->most ? longer : l->most;
        const uint64_t took = s->fire(s->timer, counts, halt);

        if (took == 0)
            return i;
        latency[i] = timed_beyond(took, counts * l->clocks_q24 >> 24);
    }
    return shots;
}

uint64_t one_shots_usual(uint64_t latency[ONE_SHOTS])
{
    order_sort(latency, ONE_SHOTS);
    return latency[ONE_SHOTS * 7 / 8];
}

struct probe_lateness one_shots_judge(uint64_t latency[ONE_SHOTS], uint64_t grain)
{
    const uint64_t usual = one_shots_usual(latency), floor = latency[0];

    return (struct probe_lateness){ .floor = floor, .late = usual + (usual - floor) + grain };
}

bool one_shots_lateness(const struct one_shots *s, const struct one_shots_lengths *l, bool halt,
                        struct probe_lateness *to)
{
    uint64_t latency[ONE_SHOTS];

    if (one_shots_series(s, l, halt, latency, ONE_SHOTS) < ONE_SHOTS)
        return false;
    *to = one_shots_judge(latency, l->grain);
    return true;
}
