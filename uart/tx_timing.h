/* SPDX-License-Identifier: MIT */
/*
 * Whether a transmitter is paced: each byte takes as long as on a real line.  Hardware is paced.
 * An emulator may pass a byte on at once, and then its transmit interrupt cannot serve as a clock.
 */
#pragma once

#include <stdint.h>

#include "uart/uart16550.h"

enum uart_pace {
    UART_PACED,   /* a byte takes 0.75 to 1.5 times a character's time */
    UART_UNPACED, /* less than 0.1 times */
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

/*
 * Send `byte` so many times in a row, and twice before, and time them from the moment that the transmitter takes the
 * second one: the bounds of the time of `bytes` characters, clock units, apart by what two looks at the line status
 * take.  Both 0 where the transmitter is stuck.  Not in loopback; waits as below.  Task context, interrupts off.
 */
void uart_time_bytes(const struct uart *u, uint64_t (*clock)(void), uint64_t character, uint8_t byte, unsigned bytes,
                     uint64_t bound[2]);

/* The same result from two times that the caller measured; never UART_STUCK.  Any context. */
enum uart_pace uart_pace_of(const uint64_t took[2], uint64_t character);

/* A time in thousandths of a character's time, at most 999999.  Task context. */
uint32_t uart_thousandths(uint64_t took, uint64_t character);
