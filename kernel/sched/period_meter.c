/* SPDX-License-Identifier: MIT */
/* Measures a periodic interrupt by the TSC, with the handlers of the image. */
#include "kernel/sched/period_meter.h"

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/mul_div64.h"

#define LOOK_PART   24    /* interrupts are counted for a 24th of a second */
#define LIMIT_PART  4     /* but a quarter of a second at most */
#define TICKS_LEAST 16u
#define OFF_PART    128   /* tolerance of the rate: a 128th; a crystal is a thousand times better */
#define UNEVEN_PART 4     /* tolerance of the jitter: a quarter of a period */

void period_meter_note(struct period_meter *b, uint64_t now)
{
    const uint64_t gap = now - b->last;

    if (!b->open)
        return;
    if (b->ticks == 0) {
        b->first = now;
        b->shortest = UINT64_MAX;
        b->longest = 0;
    } else {
        if (gap < b->shortest)
            b->shortest = gap;
        if (gap > b->longest)
            b->longest = gap;
    }
    b->last = now;
    b->ticks++;
}

uint64_t period_meter_mean(const struct period_meter *b)
{
    return mul_div64(b->last - b->first, 1u << 16, b->ticks - 1);
}

static uint32_t nanoseconds(uint64_t clocks, uint64_t clock_hz)
{
    return (uint32_t)mul_div64(clocks, 1000000000, clock_hz);
}

static bool refuse_missing(struct refusal *why, uint64_t seen, uint64_t due, const struct period_request *r)
{
    return REFUSE_WITH(why, "%1 came %2 times in a quarter of a second, %3 were due", REFUSAL_STRING(r->what),
                       REFUSAL_NUMBER(seen), REFUSAL_NUMBER(due));
}

static bool refuse_rate(struct refusal *why, const struct period_meter *b, const struct period_request *r)
{
    return REFUSE_WITH(why, "%1 comes each %2 ns (%3 to %4), each %5 were asked for", REFUSAL_STRING(r->what),
                       REFUSAL_NUMBER(nanoseconds(period_meter_mean(b) >> 16, r->clock_hz)),
                       REFUSAL_NUMBER(nanoseconds(b->shortest, r->clock_hz)),
                       REFUSAL_NUMBER(nanoseconds(b->longest, r->clock_hz)),
                       REFUSAL_NUMBER(nanoseconds(r->period >> 16, r->clock_hz)));
}

static void wait(const struct period_meter *b, uint64_t ticks, uint64_t clocks)
{
    const uint64_t begin = rdtsc();

    cpu_interrupts_on();
    while (b->ticks < ticks && rdtsc() - begin < clocks)
        continue;
    cpu_interrupts_off();
}

bool period_meter_measure(struct period_meter *b, const struct period_request *r, struct refusal *why)
{
    const uint64_t limit = r->clock_hz / LIMIT_PART;
    uint64_t ticks = ((r->clock_hz / LOOK_PART) << 16) / r->period + 1;
    uint64_t away;

    if (ticks < TICKS_LEAST)
        ticks = TICKS_LEAST;
    *b = (struct period_meter){ .open = true };
    wait(b, ticks, limit);
    b->open = false;
    if (b->ticks < ticks)
        return refuse_missing(why, b->ticks, (limit << 16) / r->period, r);
    away = period_meter_mean(b) > r->period ? period_meter_mean(b) - r->period : r->period - period_meter_mean(b);
    if (away > r->period / OFF_PART || period_meter_jitter(b) > (r->period >> 16) / UNEVEN_PART)
        return refuse_rate(why, b, r);
    return true;
}
