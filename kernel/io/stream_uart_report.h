/* SPDX-License-Identifier: MIT */
/* Messages about how the stream's line is served (kernel/io/stream_uart.h). */
#pragma once

struct text_buf; /* probe/text/text_buf.h */

/* Append what serves it.  After timer_calibrate(). */
void stream_uart_put_service(struct text_buf *to);

/* Log that at the start, unless its interrupt does.  After stream_uart_test_irq() and timer_calibrate(). */
void stream_uart_report_start(void);

/* Log at the end which transmit interrupts were lost.  Task PROBE. */
void stream_uart_report_end(void);
