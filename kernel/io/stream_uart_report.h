/* SPDX-License-Identifier: MIT */
/* What is told of how the stream's line is served (kernel/io/stream_uart.h). */
#ifndef KERNEL_IO_STREAM_UART_REPORT_H
#define KERNEL_IO_STREAM_UART_REPORT_H

/* By what it is served from the start on, for the machine's health; as sentence() keeps it.  The start. */
const char *stream_uart_service_text(void);

/* Say at the start where that is not the interrupt of a COM port.  After stream_uart_test_irq(), the system clock known. */
void stream_uart_report_start(void);

/* Say at the end what was lost on the way.  Task PROBE. */
void stream_uart_report_end(void);

#endif
