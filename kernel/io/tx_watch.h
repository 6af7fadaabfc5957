/* SPDX-License-Identifier: MIT */
/*
 * Detects lost transmit interrupts: bytes wait, the transmitter is empty, and nothing is
 * sent.  Linux knows UARTs that lose them (UART_BUG_THRE, drivers/tty/serial/8250).  It
 * depends neither on the device nor on the clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
