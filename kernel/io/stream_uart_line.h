/* SPDX-License-Identifier: MIT */
/*
 * The UART of the stream and what the start finds out about it; for stream_uart*.c.
 * All others use kernel/io/stream_uart.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"

struct stream_line {
    struct serial_device device; /* set once, as the next four; irq: NO_IRQ where its test failed */
    bool found;                  /* a UART answers there */
    char name[48];
    unsigned fifo_depth;         /* bytes that the empty transmitter takes */
    uint32_t byte_us_q8;         /* time of a byte on the line, microseconds, 24.8 */
    volatile uint64_t thre_interrupts; /* interrupts for an empty transmitter; written in them */
};
extern struct stream_line stream_line;

/*
 * Whether each of some transmit interrupts comes within a hundredth of a second; else the
 * device has no IRQ from now on.  Once, its handler registered; interrupts off, and on
 * meanwhile.
 */
bool stream_line_test_irq(uint64_t clock_hz);

/* The period in which the system clock must look at the UART, where it serves the line; microseconds. */
uint32_t stream_line_poll_us(void);

/* Note the time of a byte that was sent by polling, as long as few were.  Interrupts off. */
void stream_line_note_sent(void);
