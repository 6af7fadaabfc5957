/* SPDX-License-Identifier: MIT */
/*
 * Classifies an interrupt of a paced transmitter: a tick, how late it is, or no tick.  A UART
 * has no counter to read, so that the TSC tells the lateness: as long as the next byte is there
 * in time, bytes follow each other without a gap, and ticks are due a whole number of bytes
 * apart.  The tick that comes earliest sets the phase.  Pure: it knows neither the device nor
 * the probe.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UART_TICK_BIT_SHARE   10u /* a bit is this part of a byte */

struct uart_tick_line {
    uint64_t period; /* of a byte, clock units; set once */
    uint64_t creep;  /* clock units added to each byte, see uart_tick_classify(); set once */
    uint64_t due;    /* when the next tick is, clock units */
    uint64_t left;   /* end of the last tick's handler, whose own time does not count as masked */
    bool dried;      /* a byte went into an empty transmitter: the interrupt that comes at once is void */
    uint64_t refuted; /* ticks that were later by the TSC than the UART's status allows */
};

enum uart_tick_kind {
    UART_TICK_DUE,
    UART_TICK_VOID,  /* a byte moved on within the transmitter: none has left the line */
    UART_TICK_EARLY, /* no byte can have passed: unexplained */
};

/* A byte was put into the empty transmitter at `now`.  Interrupts off. */
static inline void uart_tick_line_start(struct uart_tick_line *l, uint64_t now)
{
    l->dried = true;
    l->due = now + l->period;
}

/*
 * Classify the interrupt that was entered at `now`; `dry`: the shift register was empty too.
 * Sets the lateness of a tick, clock units, by these rules:
 * - It is measured from the earliest tick.  Each byte is taken to last `creep` longer than
 *   measured, so that errors do not add up: the next tick in time corrects the phase, and the
 *   lateness is too small by at most `creep` for each byte since.
 * - dry: at least one bit, because a 16550 interrupts at the latest a stop bit before the shift
 *   register is empty; and the line was idle.
 * - At most the time since the end of the last tick's handler: a tick that waited for that
 *   handler waited for the monitor, and is taken at the instruction that was interrupted.
 * - not dry, late, and the first one after a start: bytes of another sender were still in the
 *   transmitter, and the first byte has moved to the shift register only now.
 * - not dry: at most one byte.  Where the TSC says far more the tick is taken to be in time,
 *   and counted in `refuted`.
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
