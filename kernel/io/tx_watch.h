/* SPDX-License-Identifier: MIT */
/*
 * A watch for lost transmit interrupts: bytes wait, the transmitter is empty, and
 * nobody sends.  Linux knows UARTs that lose them (UART_BUG_THRE, drivers/tty/serial/8250).
 * Knows neither the device nor the clock.
 */
#ifndef KERNEL_IO_TX_WATCH_H
#define KERNEL_IO_TX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#define TX_KICKS 3u /* in a row, in vain: there is no interrupt to be had */

struct tx_watch { /* zero at first */
    uint32_t sent;  /* bytes sent by the last look */
    bool stood;     /* the last look found the line standing */
    unsigned kicks; /* since a byte was sent */
    uint64_t lost;  /* kicks since the start */
};

enum tx_verdict {
    TX_OK,
    TX_KICK,    /* ask for the interrupt anew */
    TX_GIVE_UP, /* that was in vain TX_KICKS times */
};

/*
 * A look, while bytes wait: `sent` counts those that were sent (it may wrap), `empty`:
 * the transmitter takes more.  An interrupt that was held back, interrupts being off, is
 * let in between two looks, so that it takes two to find it lost.  Interrupt context.
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

#endif
