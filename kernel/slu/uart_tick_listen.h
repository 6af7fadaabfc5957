/* SPDX-License-Identifier: MIT */
/* Counting and timing a UART's interrupts at the start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/source.h"

#define UART_TICK_HEARD 26u /* interrupts that are listened to, of the tick that is asked for */

struct uart_tick_irq {
    unsigned irq;    /* of the port */
    unsigned number; /* how many are listened to, up to UART_TICK_HEARD */
};

/*
 * Register the interrupt of `source`, call `begin`, and wait until each of i->number interrupts
 * has called uart_tick_heard(); then stop the source.  False where they do not come within
 * `longest` clock units.  Interrupts on meanwhile, off at the end.
 */
bool uart_tick_listen(const struct uart_tick_irq *i, struct source *source, void (*begin)(void), uint64_t longest);

/* The same by NMI, interrupts off throughout.  Returns how many called uart_tick_heard(). */
unsigned uart_tick_listen_nmi(void (*begin)(void), unsigned number, uint64_t longest);

/* Note one interrupt by a value; true: more are wanted.  Interrupt context. */
bool uart_tick_heard(uint64_t value);

/* The values noted, in order, from 0. */
uint64_t uart_tick_heard_at(unsigned index);
