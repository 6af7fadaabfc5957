/* SPDX-License-Identifier: MIT */
/*
 * Registers of the 16550 UART, by offset.  Offsets 0 and 1 are data and
 * interrupt enable, or the divisor while LCR.DLAB is set; offset 2 is one
 * register to read (IIR) and another to write (FCR).
 * National Semiconductor PC16550D data sheet.
 */
#pragma once

/* DLAB = 0 */
#define UART_RBR 0 /* read: received byte */
#define UART_THR 0 /* write: byte to send */
#define UART_IER 1
#define UART_IER_RDI  0x01 /* received data */
#define UART_IER_THRI 0x02 /* transmitter holding register empty */

/* DLAB = 1 */
#define UART_DLL 0
#define UART_DLM 1

#define UART_IIR 2 /* read */
#define UART_IIR_NONE 0x01
#define UART_IIR_ID   0x0e
#define UART_IIR_THRI 0x02
#define UART_IIR_RDI  0x04
#define UART_IIR_TIMEOUT 0x0c
#define UART_IIR_LINE 0x06
#define UART_IIR_FIFO 0xc0        /* both bits set: a 16550A, its FIFO works */
#define UART_IIR_FIFO_BROKEN 0x80 /* 16550: its FIFO loses bytes */

#define UART_FCR 2 /* write */
#define UART_FCR_ENABLE   0x01
#define UART_FCR_CLEAR_RX 0x02
#define UART_FCR_CLEAR_TX 0x04
#define UART_FCR_AT_14    0xc0 /* interrupt at 14 received bytes */

#define UART_LCR 3
#define UART_LCR_8N1  0x03
#define UART_LCR_DLAB 0x80

#define UART_MCR 4
#define UART_MCR_DTR  0x01
#define UART_MCR_RTS  0x02
#define UART_MCR_OUT2 0x08 /* passes the interrupt on to the 8259 */
#define UART_MCR_LOOP 0x10

#define UART_LSR 5
#define UART_LSR_DR   0x01
#define UART_LSR_OE   0x02 /* overrun: a byte was lost; reading clears this bit and the next three */
#define UART_LSR_PE   0x04 /* parity error of the byte that is read next */
#define UART_LSR_FE   0x08 /* framing error: that byte had no stop bit */
#define UART_LSR_BI   0x10 /* break: the line stood at 0 for longer than a byte */
#define UART_LSR_DAMAGE (UART_LSR_PE | UART_LSR_FE | UART_LSR_BI) /* the byte is not as it was sent */
#define UART_LSR_ERRORS (UART_LSR_OE | UART_LSR_PE | UART_LSR_FE | UART_LSR_BI)
#define UART_LSR_THRE 0x20
#define UART_LSR_TEMT 0x40

#define UART_MSR 6
#define UART_SCR 7 /* scratch: stores a byte, has no effect */
