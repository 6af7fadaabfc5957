/* SPDX-License-Identifier: MIT */
/*
 * Independent intervals that are multiples of one number: k units of T/5, k uniform on
 * 1 to 9.  Random, and yet every tick has the same phase in what has the period T/5:
 * McCanne and Torek, section 2.2, except such intervals ("if W is arithmetic") from
 * what makes the estimate converge.  The policy exists to show this.
 */
#include <stddef.h>

#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

#define MULTIPLES 9u         /* their mean is 5 */
#define UNIT      858993460u /* of the mean interval, 1/2^32: a fifth */

static const char *prepare(struct schedule *s, uint32_t handler)
{
    (void)handler;
    s->base = ((s->mean >> 16) * UNIT >> 16) + ((s->mean & 0xffff) * UNIT >> 32);
    s->width = MULTIPLES;
    if (s->base >> 16 < s->minimum)
        return "arithmetic needs the smallest count to be at most 1/5 of the mean interval";
    return NULL;
}

/* The fraction of a count is carried over, so that n units are n/5 T long. */
static inline __attribute__((always_inline)) uint64_t step(struct schedule *s, uint64_t number)
{
    const uint64_t exact = (number + 1) * s->base + s->fraction;

    s->fraction = (uint16_t)exact;
    return exact >> 16;
}

static uint64_t next(struct schedule *s)
{
    return step(s, draw_below(s, MULTIPLES));
}

static void run(struct schedule *restrict s, uint64_t *restrict interval, unsigned count)
{
    draw_run(s, interval, count, MULTIPLES, step);
}

const struct policy policy_arithmetic = {
    .name = "arithmetic",
    .pairing = PAIR_NEVER,
    .prepare = prepare,
    .next = next,
    .run = run,
    .reason = "arithmetic intervals",
};
