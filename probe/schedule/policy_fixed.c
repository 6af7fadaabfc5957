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
    s->base = (s->mean + 0x8000) >> 16;
    s->width = 1;
    return NULL;
}

static uint64_t next(struct schedule *s)
{
    return s->base;
}

const struct policy policy_fixed = {
    .name = "fixed",
    .pairing = PAIR_NEVER,
    .prepare = prepare,
    .next = next,
    .reason = "fixed ticks",
};
