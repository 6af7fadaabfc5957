/* SPDX-License-Identifier: MIT */
/* A clock in the place of the paper's matcher: its expiries are on a grid, so that lateness does not add up. */
#include "kernel/tick/trace_timer.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/sched/timer.h"
#include "kernel/trace/trace.h"

#define MS_US 1000u

static uint64_t period, next, expiries; /* TSC; interrupts off */

/* Expiries that were missed are counted, and are no events. */
static void expire(uint64_t now)
{
    while (next <= now) {
        next += period;
        expiries++;
    }
    timer_set_deadline(DEADLINE_TRACE, next, expire);
    trace_event(TRACE_TIMER, account.last, expiries);
}

void trace_timer_begin(const struct config *w)
{
    const bool ran = period != 0;

    period = w != 0 ? timer_us_to_clocks(w->timer * MS_US) : 0;
    next = period != 0 ? rdtsc() + period : UINT64_MAX;
    expiries = 0;
    if (period != 0 || ran)
        timer_set_deadline(DEADLINE_TRACE, next, expire);
}
