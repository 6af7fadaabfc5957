/* SPDX-License-Identifier: MIT */
/*
 * The system clock and the sleeps, both on the local APIC's timer as a one-shot:
 * the probe's tick never shares it.
 */
#ifndef KERNEL_TIMER_H
#define KERNEL_TIMER_H

#include <stdint.h>

/* What the timer was measured against (kernel/calibrate.c). */
struct timer_rate {
    uint64_t clock_hz;  /* TSC */
    uint64_t timer_q32; /* timer clocks a TSC clock, 32.32 */
};

/* Begin the system clock at `hz`.  Once, interrupts off. */
void timer_start(const struct timer_rate *rate, uint32_t hz);

/* Microseconds as clock units. */
uint64_t timer_clocks(uint64_t microseconds);

/* Put the running task to sleep until the clock reads `wake`. Task context. */
void timer_sleep_until(uint64_t wake);

/* The first tick of the system clock at or after `when`, clock units. */
uint64_t timer_grid(uint64_t when);

/* The timer's interrupt: wakes who is due, turns the round robin. */
void timer_interrupt(void);

#endif
