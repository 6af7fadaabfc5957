/* SPDX-License-Identifier: MIT */
/* The system clock by the local APIC's timer: a one-shot, so that sleeps are to the microsecond. */
#include "drivers/lapic.h"
#include "kernel/clock.h"

#define ARM_LEAST 16u /* timer clocks: one that is due already fires soon after */

static uint64_t timer_q32; /* timer clocks a clock unit, 32.32; set once */

static const char *find(const struct timer_rate *rate, uint64_t *period)
{
    (void)period; /* the TSC tells what is due */
    timer_q32 = rate->timer_q32;
    return 0;
}

static void begin(void)
{
    lapic_timer_enable(true);
}

static void arm(uint64_t clocks)
{
    const uint64_t count = clocks * timer_q32 >> 32;

    lapic_timer_arm(count < ARM_LEAST ? ARM_LEAST : (uint32_t)count);
}

static bool end(uint64_t now)
{
    (void)now;
    lapic_eoi();
    return false;
}

const struct clock clock_lapic = {
    .vector = LAPIC_TIMER_VECTOR,
    .find = find, .begin = begin, .arm = arm, .end = end,
};
