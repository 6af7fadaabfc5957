/* SPDX-License-Identifier: MIT */
/*
 * Whether a transmitter takes the time that its bytes have on the line.  Silicon
 * does; an emulator may hand a byte on at once, and then its transmit interrupt
 * is no clock.
 */
#ifndef UART_PACING_H
#define UART_PACING_H

#include <stdint.h>

#include "uart/uart16550.h"

enum uart_pace {
    UART_PACED,   /* a byte takes 0.75 to 1.5 of its time */
    UART_UNPACED, /* under 0.1 */
    UART_UNEVEN,  /* neither, or not both bytes alike */
    UART_STUCK,   /* the transmitter did not become empty, or took no byte */
};

/*
 * Send three zero bytes, each after THRE, and time the second and the third:
 * clock units, into `took`.  Not in loopback.  `character` is the time of a
 * byte; each wait is bounded by a FIFO of them and a half, and by a count of
 * polls should the clock stand.  Task context, interrupts off.
 */
enum uart_pace uart_pace(const struct uart *u, uint64_t (*clock)(void), uint64_t character,
                         uint64_t took[2]);

/* The same of bytes that somebody else sent and timed so: never UART_STUCK.  Any context. */
enum uart_pace uart_pace_of(const uint64_t took[2], uint64_t character);

/* A time as thousandths of a character's, the longest told 999999.  Task context. */
uint32_t uart_thousandths(uint64_t took, uint64_t character);

#endif
