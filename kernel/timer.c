/* SPDX-License-Identifier: MIT */
/*
 * The system clock and the sleeps.  Ticks are laid down on an absolute grid in
 * TSC clocks, so that lateness does not add up; the one-shot is set for whatever
 * comes first.
 */
#include "kernel/timer.h"

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "kernel/account.h"
#include "kernel/muldiv.h"
#include "kernel/sched.h"

#define ARM_LEAST 16u /* timer clocks: one that is due already fires soon after */

static struct timer_rate rate; /* set once */
static uint64_t period;        /* of the system clock, TSC clocks; set once */
static uint64_t origin;        /* first tick of the clock; set once */
static uint64_t next_tick;     /* interrupts off */
static struct task *sleepers;  /* soonest first; interrupts off */

uint64_t timer_clocks(uint64_t microseconds)
{
    return muldiv(microseconds, rate.clock_hz, 1000000);
}

static void arm(uint64_t now)
{
    uint64_t when = next_tick;
    uint64_t count;

    if (sleepers != 0 && sleepers->wake < when)
        when = sleepers->wake;
    count = when > now ? (when - now) * rate.timer_q32 >> 32 : 0;
    lapic_timer_arm(count < ARM_LEAST ? ARM_LEAST : (uint32_t)count);
}

void timer_start(const struct timer_rate *measured, uint32_t hz)
{
    const uint64_t now = rdtsc();

    rate = *measured;
    period = rate.clock_hz / hz;
    origin = now + period;
    next_tick = origin;
    lapic_timer_enable(true);
    arm(now);
}

uint64_t timer_grid(uint64_t when)
{
    if (when <= origin)
        return origin;
    return origin + (when - origin + period - 1) / period * period;
}

void timer_sleep_until(uint64_t wake)
{
    struct task **at = &sleepers;

    masked_begin();
    current->wake = wake;
    current->state = TASK_SLEEPING;
    while (*at != 0 && (*at)->wake <= wake)
        at = &(*at)->next;
    current->next = *at;
    *at = current;
    if (at == &sleepers)
        arm(rdtsc());
    sched_switch();
    masked_end();
}

void timer_interrupt(void)
{
    const uint64_t now = rdtsc();

    while (sleepers != 0 && sleepers->wake <= now) {
        struct task *t = sleepers;

        sleepers = t->next;
        sched_ready(t);
        if (current == sched_idle())
            sched_want();
    }
    if (next_tick <= now) {
        sched_want();
        do
            next_tick += period;
        while (next_tick <= now);
    }
    arm(rdtsc());
}
