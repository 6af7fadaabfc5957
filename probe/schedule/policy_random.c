/* SPDX-License-Identifier: MIT */
/*
 * Independent intervals, uniform on [Tmin, Tmax]: McCanne and Torek, "A
 * Randomized Sampling Clock for CPU Utilization Estimation and Code Profiling",
 * section 2.2.
 */
#include <stddef.h>

#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

/* The spread is converted to a fraction of 2^20, because 32-bit targets have no 64-bit division. */
static uint64_t range_of(const struct schedule *s, uint64_t twice)
{
    return twice * ((s->spread << 20) / 2000) >> 20;
}

/* Tmin + Tmax is 2T, rounded to counts. */
static void round_to_counts(struct schedule *s)
{
    uint64_t twice = (s->mean + 0x4000) >> 15;
    uint64_t shortest = (twice - range_of(s, twice)) / 2;

    if (shortest < s->minimum)
        shortest = s->minimum;
    s->base = shortest;
    s->width = twice - 2 * shortest + 1;
}

/* Tmin + Tmax is exactly 2T: the fraction of Tmin is carried over. */
static const char *prepare(struct schedule *s, uint32_t handler)
{
    const uint64_t range = range_of(s, s->mean >> 15);
    const uint64_t shortest = s->mean - (range << 15);

    (void)handler;
    if (s->minimum != 0) {
        round_to_counts(s);
        return NULL;
    }
    s->base = shortest >> 16;
    s->part = (uint16_t)shortest;
    s->width = range + 1;
    return NULL;
}

static inline __attribute__((always_inline)) uint64_t step(struct schedule *s, uint64_t number)
{
    const uint32_t exact = (uint32_t)s->fraction + s->part;

    s->fraction = (uint16_t)exact;
    s->pair = s->begun;
    s->begun = true;
    return s->base + number + (exact >> 16);
}

static uint64_t next(struct schedule *s)
{
    return step(s, draw_below(s, s->width));
}

static void run(struct schedule *restrict s, uint64_t *restrict interval, unsigned count)
{
    draw_run(s, interval, count, s->width, step);
}

const struct policy policy_random = {
    .name = "random",
    .pairing = PAIR_EACH,
    .prepare = prepare,
    .next = next,
    .run = run,
    .variance = 0x55555555, /* 1/3, that of a uniform number */
    .spreads = true,
};
