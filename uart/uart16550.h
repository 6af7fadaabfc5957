/* SPDX-License-Identifier: MIT */
/* The 16550 UART at an I/O port: presence, line, bytes, transmit interrupt. */
#ifndef UART_UART16550_H
#define UART_UART16550_H

#include <stdbool.h>
#include <stdint.h>

#define UART_FIFO_DEPTH 16

/*
 * True if a UART answers at this port: the scratch register remembers, and a
 * byte in loopback comes back.  Leaves the line as it was.  Task context, the
 * wait for the byte bounded.
 */
bool uart_present(uint16_t port);

/* Divisor for a rate in bit/s, >= 1; 0 where none comes within 2 %. */
uint16_t uart_divisor(uint32_t baud);

/*
 * 8N1 at this divisor, FIFOs on and empty, DTR, RTS and OUT2 set, no interrupt
 * enabled.  Whatever state it was left in.  Task context, interrupts off.
 */
void uart_init(uint16_t port, uint16_t divisor);

/* Send one byte by polling; gives up after a bounded wait and returns false. */
bool uart_send(uint16_t port, uint8_t byte);

/* Wait, bounded, until the last byte has left the line. */
bool uart_drained(uint16_t port);

/* Ask for, or refuse, an interrupt when the transmitter has room for a FIFO. */
void uart_transmit_interrupt(uint16_t port, bool on);

/* Why the UART interrupts: UART_IIR_ID bits, or UART_IIR_NONE. Interrupt context. */
uint8_t uart_cause(uint16_t port);

/* Put one byte into the transmitter, which has room. Interrupt context. */
void uart_put(uint16_t port, uint8_t byte);

/* Throw received bytes away, at most a FIFO; returns how many. Interrupt context. */
unsigned uart_discard(uint16_t port);

#endif
