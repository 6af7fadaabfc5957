/* SPDX-License-Identifier: MIT */
/*
 * What an interrupt of a paced transmitter is: the tick of a byte, late or not,
 * or none.  A UART has no counter to read, so lateness is the clock's: byte
 * follows byte without a gap as long as the next one is there in time, so that
 * ticks are due a whole number of bytes apart, and the one that comes soonest
 * says from when on.  Knows neither the device nor the probe.
 */
#ifndef KERNEL_SOURCE_UART_TICK_LINE_H
#define KERNEL_SOURCE_UART_TICK_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define UART_TICK_BIT_SHARE   10u /* a bit is this part of a byte */

struct uart_tick_line {
    uint64_t period; /* of a byte, clock units; set once */
    uint64_t creep;  /* by what each byte is taken to last longer, see uart_tick_classify(); set once */
    uint64_t due;    /* when the next tick is, clock units */
    uint64_t left;   /* when the last tick's handler was left: its own time masks nothing */
    bool dried;      /* a byte went into an empty transmitter: what comes at once is void */
    uint64_t refuted; /* ticks whose lateness the UART knew to be less than the clock said */
};

enum uart_tick_kind {
    UART_TICK_DUE,
    UART_TICK_VOID,  /* the second of the transmitter's two places fell free: no byte has passed */
    UART_TICK_EARLY, /* no byte can have passed, and nothing explains it */
};

/* A byte was put into the empty transmitter at `now`.  Interrupts off. */
static inline void uart_tick_line_start(struct uart_tick_line *l, uint64_t now)
{
    l->dried = true;
    l->due = now + l->period;
}

/*
 * The interrupt that was entered at `now`; `dry`: the shift register was empty
 * too.  Sets how late a tick is, clock units.  What is known of that:
 * - against the tick that came soonest.  Each byte is taken to last `creep`
 *   longer than measured, so that an error of the measure never adds up: the
 *   next tick in time sets it right, and lateness is told too small by that
 *   much a byte between them.
 * - dry: a bit at least, for no 16550 interrupts later than a stop bit before
 *   the shift register is empty; and the line stood still.
 * - from the end of the last tick's handler on: what waited for that waited for
 *   the monitor, and is taken at the instruction that it stopped at.
 * - not dry, and late after a beginning: bytes of another's stood before the first, and
 *   ours has gone from the one place to the other only now.
 * - not dry: a byte at most.  A clock that says far more is refuted, and the
 *   tick is taken to be in time.
 */
static inline enum uart_tick_kind uart_tick_classify(struct uart_tick_line *l, uint64_t now, bool dry,
                                         uint64_t *lateness)
{
    int64_t behind = (int64_t)(now - l->due);
    const int64_t period = (int64_t)l->period;

    if (behind < -(period / 2)) {
        const bool expected = l->dried;

        l->dried = false;
        return expected ? UART_TICK_VOID : UART_TICK_EARLY;
    }
    if (l->dried && !dry && behind > period + period / 4) {
        l->dried = false;
        l->due = now + l->period + l->creep;
        return UART_TICK_VOID;
    }
    l->dried = false;
    if (!dry && behind > period + period / 4) {
        l->refuted++;
        l->due = now;
        behind = 0;
    }
    if (!dry && behind > period)
        behind = period;
    if (behind < 0) {
        l->due = now;
        behind = 0;
    }
    if (dry && behind < period / (int64_t)UART_TICK_BIT_SHARE)
        behind = period / (int64_t)UART_TICK_BIT_SHARE;
    l->due += l->period + l->creep;
    if ((int64_t)(now - l->left) < behind)
        behind = (int64_t)(now - l->left);
    *lateness = (uint64_t)behind;
    return UART_TICK_DUE;
}

#endif
