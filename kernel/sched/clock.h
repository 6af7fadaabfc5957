/* SPDX-License-Identifier: MIT */
/*
 * The device of the system clock: one file a device (clock_*.c) fills one struct clock.
 * kernel/sched/timer.c keeps the ticks and the sleeps, and knows no device.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/timer.h"

struct clock {
    const char *name;
    unsigned vector; /* of its interrupt */
    uint32_t hz;     /* the only rate that it is used at; 0: any */
    /*
     * Test that it interrupts.  *period, in clock units, 48.16: in, the nominal one;
     * out, the measured one.  False, and *why, where it cannot be used.
     * Once, after the clocks were measured, interrupts off.
     */
    bool (*calibrate)(const struct timer_rate *rate, uint64_t *period, struct refusal *why);
    /*
     * Start and stop its interrupts.  Interrupts off; starts and arms a one-shot in an NMI too,
     * where an interrupt was lost.
     */
    void (*start)(void);
    void (*stop)(void);
    /* Interrupt so many clock units from now; NULL: it is periodic.  Interrupts off. */
    void (*arm)(uint64_t clocks);
    /*
     * Acknowledge its interrupt; `now` is the clock at its entry.  True if it belongs
     * to the test of calibrate().  Interrupt context.
     */
    bool (*acknowledge)(uint64_t now);
};

extern const struct clock clock_deadline, clock_lapic, clock_rtc;

/*
 * What ends a HLT while clock_deadline or clock_lapic is tested, in case that its timer stops there: the first has
 * another timer interrupt after 41 ms, the second ends that.  It is the 8254 unless this is called, before
 * calibrate().  Interrupts off.
 */
void clock_lapic_alarm_by(void (*set)(void), void (*end)(void));
