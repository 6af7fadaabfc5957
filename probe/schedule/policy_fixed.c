/* SPDX-License-Identifier: MIT */
/*
 * Constant intervals: the tick of Crowe, "System-wide CPU usage monitoring".
 * It aliases with all other periodic activity, and its samples do not show that.
 */
#include <stddef.h>

#include "probe/schedule/schedule.h"

static const char *prepare(struct schedule *s, uint32_t handler)
{
    (void)handler;
    s->base = (s->minimum ? s->mean + 0x8000 : s->mean) >> 16;
    s->part = s->minimum ? 0 : (uint16_t)s->mean;
    s->width = 1;
    return NULL;
}

static uint64_t next(struct schedule *s)
{
    const uint32_t exact = (uint32_t)s->fraction + s->part;

    s->fraction = (uint16_t)exact;
    return s->base + (exact >> 16);
}

const struct policy policy_fixed = {
    .name = "fixed",
    .pairing = PAIR_NEVER,
    .prepare = prepare,
    .next = next,
    .reason = "fixed ticks",
};
