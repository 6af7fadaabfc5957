/* SPDX-License-Identifier: MIT */
/*
 * Watchdog for lost interrupts of a UART tick, and limiter of interrupt storms.  The system
 * clock finds interrupts that the UART lost; interrupts that come faster than bytes can pass
 * are masked.  Pure: it knows neither the device nor the probe.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UART_TICK_STORM 8u /* early interrupts in a row */

struct uart_tick_guard { /* interrupts off */
    uint64_t interrupts;        /* of any kind */
    uint64_t voids, early;
    uint64_t storms, restarts;
    uint64_t looked;            /* `interrupts` at the last check */
    unsigned run;               /* early ones in a row */
    bool quiet;                 /* the last check found a tick overdue */
    bool masked;                /* a storm: masked until the next check */
};

/* Count an interrupt that no byte can have made.  True: it is a storm, mask the UART.  Interrupt context. */
static inline bool uart_tick_guard_early(struct uart_tick_guard *g)
{
    g->early++;
    if (++g->run < UART_TICK_STORM)
        return false;
    g->run = 0;
    g->storms++;
    g->masked = true;
    return true;
}

/*
 * Check at each tick of the system clock.  True: restart the tick.  An overdue tick may only be
 * pending because interrupts were off; between two checks they were on, so that a tick that is
 * overdue at both is lost.  Interrupt context.
 */
static inline bool uart_tick_guard_check(struct uart_tick_guard *g, uint64_t now, uint64_t due, uint64_t period)
{
    const bool overdue = g->interrupts == g->looked && (int64_t)(now - due) > (int64_t)period;
    const bool lost = overdue && g->quiet;

    g->looked = g->interrupts;
    g->quiet = overdue && !lost;
    g->restarts += lost;
    return lost || g->masked;
}

/* Number of ticks that were due up to `now`. */
static inline uint64_t uart_tick_guard_missed(uint64_t now, uint64_t due, uint64_t period)
{
    uint64_t missed = 0;

    for (; (int64_t)(now - due) >= 0; due += period) /* no division: a handful a clock tick */
        missed++;
    return missed;
}
