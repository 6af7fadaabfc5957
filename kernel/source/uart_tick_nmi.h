/* SPDX-License-Identifier: MIT */
/*
 * A UART's interrupt as NMI: the way of the port's line, proven by listening, and
 * the taking back of its requests.  An NMI comes by an edge, so that the line must
 * have fallen before its next request: each is taken back until none is left, and
 * only then the byte is sent whose interrupt is the next.
 */
#ifndef KERNEL_SOURCE_UART_TICK_NMI_H
#define KERNEL_SOURCE_UART_TICK_NMI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/nmi.h"
#include "kernel/source/uart_tick.h"

/* What uart_tick_nmi_listen() drives: a source's own functions. */
struct uart_tick_nmi {
    uint64_t (*handler)(const struct cpu_frame *f, uint64_t now); /* kernel/source/nmi.h */
    void (*begin)(void), (*stop)(void);
};

/*
 * uart_tick_listen() by NMI.  NULL, or why the port's interrupts cannot come so, with the
 * counts: a sentence without its full stop.  Interrupts off throughout.
 */
const char *uart_tick_nmi_listen(const struct uart_tick *s, const struct uart_tick_nmi *source, uint64_t longest);

/* Let the port's edges through to a handler, once they are proven, or not.  Interrupts off. */
void uart_tick_nmi_open(uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void uart_tick_nmi_close(void);

/*
 * Take back what the port asks for, bytes received with it where `received` (it
 * counts them), until it asks for nothing: bounded, and what still asks then is
 * switched off and on by `enable`, so that its edge comes anew.  False where it had
 * asked for nothing.  NMI context.
 */
bool uart_tick_nmi_silence(const struct uart *u, unsigned *received,
                     void (*enable)(const struct uart *u, bool on));

#endif
