/* SPDX-License-Identifier: MIT */
/* What ticks cost. */
#include "probe/stats/tick_cost.h"

#include "probe/schedule/arithmetic.h"

uint32_t tick_share(uint64_t tick, uint64_t period)
{
    const uint64_t share = divide64(tick * 100000u, period);

    return share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
}

uint64_t tick_nanoseconds(uint64_t clocks, uint64_t clock_hz)
{
    return divide64(clocks * 1000000000u + clock_hz / 2, clock_hz);
}

void tick_cost_put(struct text_buf *b, uint64_t tick, uint64_t share, uint64_t clock_hz)
{
    buf_parts(b, MILLI(tick_nanoseconds(tick, clock_hz)), " us, ", MILLI(share), " % of the time");
}
