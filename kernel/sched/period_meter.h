/* SPDX-License-Identifier: MIT */
/*
 * Tests and measures a periodic interrupt, before its device becomes a tick source or
 * the system clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

struct period_meter {
    volatile bool open;                 /* a measurement runs: period_meter_note() counts */
    volatile uint64_t ticks;            /* interrupts so far; the handler writes, period_meter_measure() reads */
    uint64_t first, last;               /* TSC at the entry of the first and the last */
    uint64_t shortest, longest;         /* between two entries, clock units */
};

/* What a device shall do, and its name in messages. */
struct period_request {
    const char *what;  /* "the RTC's interrupt (IRQ 8)" */
    uint64_t period;   /* clock units, 48.16 */
    uint64_t clock_hz; /* clock units a second */
};

/* Count an interrupt that was entered at `now`; nothing where no measurement runs.  Interrupt context. */
void period_meter_note(struct period_meter *b, uint64_t now);

/*
 * Enable interrupts, watch the device, which runs already, for 41 ms, at most for a
 * quarter of a second, and disable them again.  False, and *why, where it cannot be used:
 * too few interrupts, another rate, too much jitter.
 */
bool period_meter_measure(struct period_meter *b, const struct period_request *r, struct refusal *why);

/* The measured period, clock units, 48.16. */
uint64_t period_meter_mean(const struct period_meter *b);

/* The difference between the longest and the shortest period, clock units. */
static inline uint64_t period_meter_jitter(const struct period_meter *b)
{
    return b->longest - b->shortest;
}
