/* SPDX-License-Identifier: MIT */
/* Messages about how the stream's line is served (kernel/io/stream_uart.h). */
#ifndef KERNEL_IO_STREAM_UART_REPORT_H
#define KERNEL_IO_STREAM_UART_REPORT_H

/* What serves it, for the machine report; in sentence()'s buffer.  During the start. */
const char *stream_uart_service_text(void);

/* Log that at the start, unless its interrupt does.  After stream_uart_test_irq() and timer_calibrate(). */
void stream_uart_report_start(void);

/* Log at the end which transmit interrupts were lost.  Task PROBE. */
void stream_uart_report_end(void);

#endif
