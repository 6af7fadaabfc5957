/* SPDX-License-Identifier: MIT */
/*
 * What keeps the tick of a UART alive, and the machine alive under it: a watch
 * by the system clock for interrupts that the UART lost, and a guard that masks
 * it where it interrupts more often than bytes can pass.  Knows neither the
 * device nor the probe.
 */
#ifndef KERNEL_SOURCE_UART_TICK_GUARD_H
#define KERNEL_SOURCE_UART_TICK_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#define UART_TICK_STORM 8u /* early interrupts in a row */

struct uart_tick_guard { /* interrupts off */
    uint64_t interrupts;        /* of any kind */
    uint64_t voids, early;
    uint64_t storms, restarts;
    uint64_t looked;            /* `interrupts` at the last look of the watch */
    unsigned run;               /* early ones in a row */
    bool quiet;                 /* the last look found a tick overdue */
    bool masked;                /* until the next look */
};

/* One that no byte can have made.  True: it is a storm, mask it.  Interrupt context. */
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
 * A look, at each tick of the system clock.  True: start it again.  A tick that
 * is overdue may be waiting, for interrupts were off: between two looks it was
 * let in.  Interrupt context.
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

/* Ticks that were due up to `now` and did not come. */
static inline uint64_t uart_tick_guard_missed(uint64_t now, uint64_t due, uint64_t period)
{
    uint64_t missed = 0;

    for (; (int64_t)(now - due) >= 0; due += period) /* no division: a handful a clock tick */
        missed++;
    return missed;
}

#endif
