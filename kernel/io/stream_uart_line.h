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

/*
 * Detects lost transmit interrupts: bytes wait, the transmitter is empty, and nothing is
 * sent.  Linux knows UARTs that lose them (UART_BUG_THRE, drivers/tty/serial/8250).  It
 * depends neither on the device nor on the clock.
 */

#define TX_KICKS 3u /* after so many in a row without effect the interrupt is given up */

struct tx_watch { /* zero at first */
    uint32_t sent;  /* bytes that were sent before the last look */
    bool stood;     /* the last look found an idle transmitter */
    unsigned kicks; /* since a byte was sent */
    uint64_t lost;  /* kicks since the start */
};

enum tx_verdict {
    TX_OK,
    TX_KICK,    /* raise the interrupt anew */
    TX_GIVE_UP, /* that had no effect TX_KICKS times */
};

/*
 * A look while bytes wait: `sent` counts the bytes that were sent (it may wrap), `empty`:
 * the transmitter accepts more.  An interrupt that is only pending, because interrupts
 * are off, is taken before the next look; so two idle looks mean that it is lost.
 * Interrupt context.
 */
static inline enum tx_verdict tx_watch_look(struct tx_watch *w, uint32_t sent, bool empty)
{
    const bool stands = empty && sent == w->sent;
    const bool lost = stands && w->stood;

    if (sent != w->sent)
        w->kicks = 0;
    w->sent = sent;
    w->stood = stands && !lost;
    if (!lost)
        return TX_OK;
    if (w->kicks == TX_KICKS)
        return TX_GIVE_UP;
    w->kicks++;
    w->lost++;
    return TX_KICK;
}
