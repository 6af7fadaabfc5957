/* SPDX-License-Identifier: MIT */
/* The 16550 UART, at ports or in memory: presence, kind, line, bytes, interrupt. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UART_FIFO_DEPTH 16

enum uart_access {
    UART_BYTE_PORTS, /* as in the PC/AT: bytes at eight ports in a row */
    UART_PORTS,      /* ports with a stride and a width */
    UART_MEMORY,
};

/* Where the registers are: the first one, how far apart, how wide an access.  All 0 but the base: UART_BYTE_PORTS. */
struct uart {
    uint64_t base;   /* port, or address as the caller sees it */
    uint32_t stride; /* bytes from one register to the next: 1, 2, 4, 8; not read with UART_BYTE_PORTS, as the next */
    uint8_t width;   /* bytes of an access: 1, 2, 4; the register is its lowest byte, the others are written as 0 */
    enum uart_access access;
};

/* By the FIFO bits of IIR after the FIFO was enabled, and by the scratch register. */
enum uart_kind {
    UART_8250,   /* no scratch register, no FIFO */
    UART_16450,  /* no FIFO */
    UART_16550,  /* a FIFO that does not work: not used */
    UART_16550A, /* 16 bytes */
};

/*
 * 8N1 at this divisor, FIFOs on and empty, DTR, RTS and OUT2 set, loopback off, no interrupt
 * enabled, no received byte pending, from any state.  Task context, interrupts off.
 */
void uart_init(const struct uart *u, uint16_t divisor);

/*
 * True if a UART answers: two bytes come back in loopback, and the scratch register keeps a value
 * or the UART is of a kind without one.  Call after uart_init(); leaves the line in the same state.
 * Each wait is bounded by two bytes' time at `divisor`, which is that of a clock of 1.8432 MHz for the
 * rate in use, or larger.  Task context.
 */
bool uart_present(const struct uart *u, uint16_t divisor);

/*
 * True if something there behaves as an idle UART: a line status other than all ones, and a transmitter that becomes
 * empty.  For UARTs without loopback.  Call after uart_init().  Bounded.  Task context.
 */
bool uart_idles(const struct uart *u);

/* Its kind.  Call after uart_init(). Task context. */
enum uart_kind uart_kind(const struct uart *u);

/* Its name, and how many bytes its transmitter takes at once. */
const char *uart_kind_name(enum uart_kind kind);
unsigned uart_fifo_depth(enum uart_kind kind);

/* True if the transmitter is empty and takes uart_fifo_depth() bytes. Any context. */
bool uart_tx_ready(const struct uart *u);

/* Send one byte by polling; gives up after a bounded wait and returns false. */
bool uart_send(const struct uart *u, uint8_t byte);

/* Wait, bounded, until the last byte has left the line. */
bool uart_wait_empty(const struct uart *u);

/*
 * The line status: UART_LSR bits.  Any context.  Reading clears the error bits of received bytes:
 * here and in uart_tx_ready() and uart_send().
 */
uint8_t uart_status(const struct uart *u);

/* Enable or disable the interrupts of received bytes and of an empty transmitter.  Any context. */
void uart_interrupts(const struct uart *u, bool receive, bool transmit);

/*
 * The oldest byte received; false if there is none.  In both cases *status is the line status:
 * errors of this byte, or bytes lost before it.  Any context, one at a time.
 */
bool uart_receive(const struct uart *u, uint8_t *byte, uint8_t *status);

/* Enable or disable the interrupt of an empty transmitter; that of received bytes is disabled.  Any context. */
void uart_transmit_interrupt(const struct uart *u, bool on);

/*
 * Loopback: bytes that are sent are received and do not reach the line.  The receive FIFO's
 * threshold is 14, so that a single byte interrupts by the character time-out only.  Both FIFOs
 * are emptied, and nothing is pending.  uart_init() undoes it.  Task context, interrupts off.
 */
void uart_timeout_init(const struct uart *u);

/* Enable or disable the interrupt of received bytes, which includes the character time-out.  Any context. */
void uart_timeout_interrupt(const struct uart *u, bool on);

/* Why the UART interrupts: UART_IIR_ID bits, or UART_IIR_NONE. Interrupt context. */
uint8_t uart_interrupt_cause(const struct uart *u);

/* Put one byte into the transmitter, which has room. Interrupt context. */
void uart_write(const struct uart *u, uint8_t byte);

/* Drop received bytes, at most a FIFO; returns how many.  Interrupt context. */
unsigned uart_flush_rx(const struct uart *u);
