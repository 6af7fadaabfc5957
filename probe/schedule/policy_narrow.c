/* SPDX-License-Identifier: MIT */
/*
 * A constant tick with a little jitter, t_k = kT + r_k, r_k uniform on a window
 * of 0.64 % of T: 64 us in 10 ms, as in NuttX's CPU load measurement.  The jitter
 * does not accumulate, so that the phase always stays in that window: the tick
 * aliases as a constant one does.  The policy exists to show this.
 */
#include <stddef.h>

#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

#define WINDOW 27487791u /* 64/10000, 1/2^32 */

/*
 * Consecutive ticks are T apart, plus or minus less than the window.  The window is
 * at most T - minimum + 1, so that no interval is below the minimum.
 */
static const char *prepare(struct schedule *s, uint32_t handler)
{
    const uint64_t whole = s->mean >> 16, room = whole - s->minimum + 1;
    const uint64_t window = whole * WINDOW >> 32;

    (void)handler;
    s->width = window < room ? window : room;
    if (s->width == 0)
        s->width = 1;
    return NULL;
}

/* carry: jitter of the previous tick; fraction: fraction of a count in kT. */
static inline __attribute__((always_inline)) uint64_t step(struct schedule *s, uint64_t number)
{
    const uint64_t exact = s->mean + s->fraction;
    const int64_t jitter = (int64_t)number;
    const uint64_t interval = (exact >> 16) + (uint64_t)(jitter - s->carry);

    s->fraction = (uint16_t)exact;
    s->carry = jitter;
    return interval;
}

static uint64_t next(struct schedule *s)
{
    return step(s, draw_below(s, s->width));
}

static void run(struct schedule *restrict s, uint64_t *restrict interval, unsigned count)
{
    draw_run(s, interval, count, s->width, step);
}

const struct policy policy_narrow = {
    .name = "narrow",
    .pairing = PAIR_NEVER,
    .prepare = prepare,
    .next = next,
    .run = run,
    .reason = "narrow jitter",
};
