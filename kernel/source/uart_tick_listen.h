/* SPDX-License-Identifier: MIT */
/* Listening to a UART's interrupts at the start: how many come, and when. */
#ifndef KERNEL_SOURCE_UART_TICK_LISTEN_H
#define KERNEL_SOURCE_UART_TICK_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/source.h"

#define UART_TICK_HEARD 26u /* interrupts that are listened to, of the tick that is asked for */

struct uart_tick_irq {
    unsigned irq;    /* of the port */
    unsigned number; /* how many are listened to, up to UART_TICK_HEARD */
};

/*
 * Have `source`, which is tick_source, take the interrupts of the port, begin,
 * and wait until each of them has called uart_tick_heard().  False where they have
 * not within `longest` clock units.  Once the port is found; interrupts on
 * meanwhile.
 */
bool uart_tick_listen(const struct uart_tick_irq *i, struct source *source, void (*begin)(void), uint64_t longest);

/* Begin, and wait so long for so many of them by NMI.  Returns how many called uart_tick_heard(). */
unsigned uart_tick_listen_nmi(void (*begin)(void), unsigned number, uint64_t longest);

/* What an interrupt has to say; true: go on, more are listened to.  Interrupt context. */
bool uart_tick_heard(uint64_t value);

/* What was heard, in order; from 0. */
uint64_t uart_tick_heard_at(unsigned index);

#endif
