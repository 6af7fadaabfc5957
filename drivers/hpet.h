/* SPDX-License-Identifier: MIT */
/*
 * The HPET: a counter of 10 MHz or more, and comparators that interrupt.  A comparator interrupts when the counter
 * becomes equal to it: one that was written too late misses its time, and interrupts only when the
 * counter comes round.  IA-PC HPET specification 1.0a.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"

#define HPET_ADDRESS    0xfed00000u /* its usual physical address */
#define HPET_TIMERS_MOST 32u

#define HPET_COUNTER    0x0f0
#define HPET_TIMER(n)   (0x100 + 0x20 * (n))
#define HPET_COMPARATOR (0x008) /* behind HPET_TIMER() */

/*
 * Find it at `base`, where its registers are mapped, put it into a known state (no legacy replacement, which takes
 * IRQ 0 from the 8254; no comparator interrupts), and have it count.  False: none is there, or it says what cannot
 * be true.  Interrupts off.
 */
bool hpet_init(uint64_t base);

/* Whether hpet_init() found it, which all below require.  Any context. */
bool hpet_in_use(void);

/* Its counts a second, thousandths; and the number of comparators, 1 .. 32.  Any context. */
uint64_t hpet_hz_milli(void);
unsigned hpet_timers(void);

/*
 * The interrupts of I/O APICs that a comparator can raise, bit n: global system interrupt n; and whether it can write
 * to the local APIC itself.
 */
uint32_t hpet_routes(unsigned timer);
bool hpet_has_messages(unsigned timer);

/*
 * Have a comparator interrupt, once each time that it is armed, by an edge at an interrupt of hpet_routes(); or by
 * writing `data` to `address` (the local APIC's message of an interrupt); or no more.  Interrupts off.
 */
void hpet_route(unsigned timer, unsigned gsi);
void hpet_route_message(unsigned timer, uint32_t address, uint32_t data);
void hpet_stop(unsigned timer);

/*
 * Legacy replacement: comparator 0 takes IRQ 0 from the 8254, comparator 1 takes IRQ 8 from the RTC.  Interrupts off.
 */
void hpet_replace_legacy(bool on);

/* Comparators that were written too late and armed anew.  Any context. */
uint64_t hpet_missed(void);

extern uint64_t hpet_base; /* of its registers; set once, by hpet_init() */
extern uint32_t hpet_due[HPET_TIMERS_MOST]; /* what each comparator was armed for; whoever arms it */

/* The counter's lower half.  Any context. */
static inline uint32_t hpet_count(void)
{
    return mmio_read32(hpet_base + HPET_COUNTER);
}

/* Counts until a comparator interrupts; negative: since then.  Any context. */
static inline int32_t hpet_left(unsigned timer)
{
    return (int32_t)(hpet_due[timer] - hpet_count());
}

/*
 * Counts before the comparator from which on a write may come too late: a chip may take it over some of
 * its clocks later than the bus did.
 */
#define HPET_GUARD 32

/*
 * What to do where hpet_arm() finds the counter at or past that: the same with more and more room,
 * returning the same.  Bounded.
 */
uint32_t hpet_arm_again(unsigned timer, uint64_t *clock);

/*
 * Begin a one-shot of so many counts, 1 .. 2^31 - 1.  Where the counter has come to within HPET_GUARD of the
 * comparator when that was written, the interrupt may never come: it is armed anew, and counted.  So an interrupt too
 * many may come before the armed one.  Returns the counts to the interrupt from the last reading of the counter on,
 * and the clock directly behind that.  Interrupts off.
 */
static inline uint32_t hpet_arm(unsigned timer, uint32_t counts, uint64_t *clock)
{
    int32_t left;

    hpet_due[timer] = hpet_count() + counts;
    mmio_write32(hpet_base + HPET_TIMER(timer) + HPET_COMPARATOR, hpet_due[timer]);
    left = hpet_left(timer);
    *clock = rdtsc();
    return left > HPET_GUARD ? (uint32_t)left : hpet_arm_again(timer, clock);
}
