/* SPDX-License-Identifier: MIT */
/*
 * Independent intervals, uniform on [Tmin, Tmax]: McCanne and Torek, "A
 * Randomized Sampling Clock for CPU Utilization Estimation and Code Profiling",
 * section 2.2.
 */
#include <stddef.h>

#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

/*
 * Tmin + Tmax is exactly 2T, rounded to counts.  The spread is converted to a fraction
 * of 2^20, because 32-bit targets have no 64-bit division.
 */
static const char *prepare(struct schedule *s, uint32_t handler)
{
    uint64_t twice = (s->mean + 0x4000) >> 15;
    uint64_t range = twice * ((s->spread << 20) / 2000) >> 20;
    uint64_t shortest = (twice - range) / 2;

    (void)handler;
    if (shortest < s->minimum)
        shortest = s->minimum;
    s->base = shortest;
    s->width = twice - 2 * shortest + 1;
    return NULL;
}

static inline __attribute__((always_inline)) uint64_t step(struct schedule *s, uint64_t number)
{
    s->pair = s->begun;
    s->begun = true;
    return s->base + number;
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
