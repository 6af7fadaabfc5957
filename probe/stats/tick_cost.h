/* SPDX-License-Identifier: MIT */
/* What ticks cost: their share of the time, its limits, and both as text.  All in integers: any context, host too. */
#pragma once

#include <stdint.h>

#include "probe/text/text_buf.h"

#define TICK_SHARE_WARNED 10000u /* thousandths of a percent: above it a run is warned of */
#define TICK_SHARE_MOST   50000u /* above it one is refused, unless cost=any */

/*
 * The share of `tick` in `period`, clock units, below 2^44 and not 0: thousandths of a percent, UINT32_MAX at most.
 */
uint32_t tick_share(uint64_t tick, uint64_t period);

/* Clock units as nanoseconds, rounded; below 2^33 of them and of a second. */
uint64_t tick_nanoseconds(uint64_t clocks, uint64_t clock_hz);

/* Append "1.320 us, 0.132 % of the time". */
void tick_cost_put(struct text_buf *b, uint64_t tick, uint64_t share, uint64_t clock_hz);
