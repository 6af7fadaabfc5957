/* SPDX-License-Identifier: MIT */
/*
 * What the system clock ticks by: one file a device (clock_*.c) that fills one
 * struct clock.  kernel/sched/timer.c keeps the ticks and the sleeps, and knows no device.
 */
#ifndef KERNEL_SCHED_CLOCK_H
#define KERNEL_SCHED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/timer.h"

struct clock {
    unsigned vector; /* of its interrupt */
    uint32_t hz;     /* the one rate that it is used at; 0: any */
    /*
     * See that it interrupts; `period` in clock units, 48.16: in, as it should be,
     * and out, as it is.  NULL, or why it cannot serve, a sentence without its
     * full stop.  Once, clocks measured, interrupts off.
     */
    const char *(*find)(const struct timer_rate *rate, uint64_t *period);
    /* Begin to interrupt; and no more.  Interrupts off. */
    void (*begin)(void);
    void (*stop)(void);
    /* Interrupt so many clock units from now; NULL: it ticks by itself.  Interrupts off. */
    void (*arm)(uint64_t clocks);
    /*
     * Its interrupt, `now` the clock at its entry: let the next one come.  True if
     * find() asked for it.  Interrupt context.
     */
    bool (*end)(uint64_t now);
};

extern const struct clock clock_lapic, clock_rtc;

#endif
