/* SPDX-License-Identifier: MIT */
/*
 * A UART's interrupt as NMI: the route of its line, proven by counting, and the acknowledging
 * of its requests.  An NMI is edge-triggered, so that the line must fall before the next
 * request: all requests are acknowledged before the byte is sent whose interrupt is the next.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/nmi.h"
#include "kernel/slu/uart_tick.h"

/* The functions of a source that uart_tick_nmi_listen() calls. */
struct uart_tick_nmi {
    uint64_t (*handler)(const struct cpu_frame *f, uint64_t now); /* kernel/source/nmi.h */
    void (*begin)(void), (*stop)(void);
};

/*
 * uart_tick_listen() by NMI.  False where the port's interrupts do not come so.  Interrupts off
 * throughout.
 */
bool uart_tick_nmi_listen(const struct uart_tick *s, const struct uart_tick_nmi *source, uint64_t longest,
                          struct refusal *why);

/* Deliver the port's edges to a handler, once the route is proven; or mask them.  Interrupts off. */
void uart_tick_nmi_open(uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void uart_tick_nmi_close(void);

/*
 * Acknowledge the port's requests until it has none.  With `received`, received bytes are
 * dropped and counted there.  The loop is bounded: an interrupt that is still requested then is
 * disabled and enabled by `enable`, which makes a new edge.  False where nothing was requested.
 * NMI context.
 */
bool uart_tick_nmi_silence(const struct uart *u, unsigned *received,
                           void (*enable)(const struct uart *u, bool on));
