/* SPDX-License-Identifier: MIT */
/* The receiving half of the stream's serial line; who takes its bytes uses kernel/io/stream_uart.h. */
#ifndef KERNEL_IO_STREAM_UART_RX_H
#define KERNEL_IO_STREAM_UART_RX_H

#include <stdint.h>

#include "uart/uart16550.h"

/*
 * Keep what the UART has received, at most a FIFO of it; what finds no room is counted.
 * `seen`: its line status, where that was read before, else 0.  Wakes PROBE where it
 * listens.  Returns the line status at last.  Interrupt context.
 */
uint8_t stream_uart_rx_drain(const struct uart *u, uint8_t seen);

#endif
