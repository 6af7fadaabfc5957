/* SPDX-License-Identifier: MIT */
/*
 * Whether a transmitter is paced: a byte takes its time on the line.  On hardware it does; an
 * emulator may pass a byte on at once, and then its transmit interrupt is no clock.
 */
#ifndef UART_TX_TIMING_H
#define UART_TX_TIMING_H

#include <stdint.h>

#include "uart/uart16550.h"

enum uart_pace {
    UART_PACED,   /* a byte takes 0.75 to 1.5 of its time */
    UART_UNPACED, /* under 0.1 */
    UART_UNEVEN,  /* neither, or the two bytes differ */
    UART_STUCK,   /* the transmitter did not become empty, or took no byte */
};

/*
 * Send three zero bytes, each after THRE, and time the second and the third: clock units, into
 * `took`.  Not in loopback.  `character` is the time of a byte, clock units.  Each wait is bounded
 * by 1.5 FIFOs of bytes, and by a number of polls in case the clock stands still.  Task context,
 * interrupts off.
 */
enum uart_pace uart_pace(const struct uart *u, uint64_t (*clock)(void), uint64_t character,
                         uint64_t took[2]);

/* The same for two times that were measured elsewhere; never UART_STUCK.  Any context. */
enum uart_pace uart_pace_of(const uint64_t took[2], uint64_t character);

/* A time in thousandths of a character's, at most 999999.  Task context. */
uint32_t uart_thousandths(uint64_t took, uint64_t character);

#endif
