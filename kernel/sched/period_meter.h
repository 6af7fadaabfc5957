/* SPDX-License-Identifier: MIT */
/*
 * Measuring a device that interrupts periodically, before it is trusted with the
 * ticks or with the system clock.
 */
#ifndef KERNEL_SCHED_PERIOD_METER_H
#define KERNEL_SCHED_PERIOD_METER_H

#include <stdbool.h>
#include <stdint.h>

struct period_meter {
    volatile bool open;                 /* it is being measured: period_meter_note() counts */
    volatile uint64_t ticks;            /* seen; the handler writes, period_meter_measure() reads */
    uint64_t first, last;               /* entries, clock units */
    uint64_t shortest, longest;         /* from entry to entry, clock units */
};

/* What is asked of a device, and how it is named in a sentence. */
struct period_request {
    const char *what;  /* "the RTC's interrupt (IRQ 8)" */
    uint64_t period;   /* clock units, 48.16 */
    uint64_t clock_hz; /* clock units a second */
};

/* One more interrupt, its entry at `now`; nothing while nobody measures.  Interrupt context. */
void period_meter_note(struct period_meter *b, uint64_t now);

/*
 * Wait, interrupts on and off again, for some 41 ms of interrupts.  The device
 * runs already.  NULL, or why it does not serve: too few, at another rate, or
 * uneven, with the numbers; a sentence without its full stop that holds until
 * the next.  Bounded to a quarter of a second.
 */
const char *period_meter_measure(struct period_meter *b, const struct period_request *r);

/* The measured period, clock units, 48.16. */
uint64_t period_meter_mean(const struct period_meter *b);

/* How much longer the longest period was than the shortest, clock units. */
static inline uint64_t period_meter_jitter(const struct period_meter *b)
{
    return b->longest - b->shortest;
}

#endif
