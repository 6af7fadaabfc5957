/* SPDX-License-Identifier: MIT */
/* The receiving half of the stream's serial line; readers use kernel/io/stream_uart.h. */
#pragma once

#include <stdint.h>

#include "uart/uart16550.h"

/*
 * Keep what the UART has received, at most a FIFO of bytes; bytes without room are
 * counted.  `seen`: the line status, if it was read before, else 0.  Wakes PROBE if it
 * waits for bytes.  Returns the last line status.  Interrupt context.
 */
uint8_t stream_uart_rx_drain(const struct uart *u, uint8_t seen);

/* A byte as if it was received, where there is no line: of the keyboard.  Wakes PROBE too.  Interrupt context. */
void stream_uart_rx_put(uint8_t byte);
