/* SPDX-License-Identifier: MIT */
/* The stream's serial line: a ring that the transmit interrupt empties. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "probe/config/serial_spec.h"
#include "probe/stream/wire.h"
#include "uart/uart16550.h"

#define STREAM_UART_TX_RING 32768u /* bytes; a power of two */
#define STREAM_UART_RX_RING 2048u /* received bytes; a power of two */

/*
 * Use this UART for the stream; false where none answers.  Until stream_uart_start()
 * bytes are sent by polling.  Once, interrupts off.
 */
bool stream_uart_init(const struct serial_device *device, const struct serial_spec *line);

/*
 * Test the UART's interrupt: raise four transmit interrupts, without sending a byte, and
 * count those that come.  Where one does not come within a hundredth of a second, the
 * UART is used without interrupt.  Once, before stream_uart_start(); interrupts off, and
 * on meanwhile.
 */
void stream_uart_test_irq(uint64_t clock_hz);

struct stream_uart_irq_test {
    unsigned irq, shots, came; /* shots: raised, 0: the UART has no IRQ; came: that arrived */
};
struct stream_uart_irq_test stream_uart_irq_test(void);

/*
 * From now on the UART's interrupt serves the line, or, where it has none, the system
 * clock's, often enough for the rate of the line.  Once, after the 8259 was set up.
 */
void stream_uart_start(void);

/* How the system clock serves the line, where it does.  After timer_calibrate(). */
struct stream_uart_polling {
    uint32_t hz;        /* looks at the UART, a second */
    uint32_t safe_baud; /* up to this rate, bit/s, no received byte is lost between two looks */
};
struct stream_uart_polling stream_uart_polling(void);

/* Transmit interrupts that were lost since the start.  Task context. */
struct stream_uart_lost_irqs {
    uint64_t kicked; /* each was raised anew */
    bool given_up;   /* that did not help: the system clock serves the line now */
};
struct stream_uart_lost_irqs stream_uart_lost_irqs(void);

/*
 * How long the second and the third byte of all took to be sent, TSC clocks
 * (uart/tx_timing.h); 0 until four bytes were sent.  Interrupts off.
 */
void stream_uart_byte_times(uint64_t took[2]);

/* Whether there is one: else what is written goes nowhere, and bytes come from stream_uart_rx_put() alone. */
bool stream_uart_found(void);

/* Its place and kind, e.g. "COM1 (port 0x3f8), 16550A"; "none". */
const char *stream_uart_name(void);

/*
 * Send bytes, all or none: false where the ring has no room for them or, before
 * stream_uart_start(), the UART accepts none.  Task context.
 */
bool stream_uart_write(const uint8_t *bytes, uint32_t length);

/*
 * The same, but sleep until there is room: two seconds at most, and after such a wait in
 * vain not at all until the line sends bytes again.  False where there is still no room.
 * Task context, while tasks run.
 */
bool stream_uart_write_wait(const uint8_t *bytes, uint32_t length);

/* Bytes that the ring has room for. */
uint32_t stream_uart_tx_room(void);

/*
 * For the end of the image: send by polling what the ring holds, and wait, bounded, until
 * the last byte has left the UART.  Interrupts off.
 */
void stream_uart_flush(void);

/*
 * Lend the UART to a tick source whose ticks are its transmit interrupts.  Then bytes wait
 * in the ring for stream_uart_lent_next(), and the borrower also takes what is received
 * (stream_uart_lent_receive()).  Interrupts off, and on for a moment, so that a pending
 * request of the UART is handled first.
 */
void stream_uart_lend(void);

/* Take the UART and its interrupts back.  Interrupts off. */
void stream_uart_reclaim(void);

/* Keep what a lent UART has received; `status` is its line status, already read.  Interrupt context. */
void stream_uart_lent_receive(uint8_t status);

/* The next byte to send on a lent line; where there is none a zero, which readers skip.  Interrupt context. */
uint8_t stream_uart_lent_next(void);

/* The stream's UART. */
const struct serial_device *stream_uart_device(void);

/* The handler of its interrupt, without EOI.  Interrupt context. */
void stream_uart_interrupt(void);

/* Its IRQ, or NO_IRQ. */
unsigned stream_uart_irq(void);

/* Take the oldest received byte; false if there is none.  Task PROBE. */
bool stream_uart_read(uint8_t *byte);

/* Sleep until a received byte waits, or the TSC reads `until`.  Task PROBE. */
void stream_uart_wait_rx(uint64_t until);

/* The same, but until another byte is received after the call. */
void stream_uart_wait_more_rx(uint64_t until);

/* End such a sleep, or the next one, at once.  Interrupts off. */
void stream_uart_wake_reader(void);

/* Drop the received bytes up to the last one of this value; false where there is none.  Task PROBE. */
bool stream_uart_discard_past(uint8_t byte);

/* Drop what was written and not sent yet.  Task PROBE. */
void stream_uart_discard_tx(void);

/* The TSC when the last byte was received; 0: none was.  Task context. */
uint64_t stream_uart_rx_time(void);

/* Receive errors that the UART told since the start. */
struct stream_uart_errors {
    uint64_t overrun; /* times that bytes were lost because they were not read in time */
    uint64_t parity, framing, breaks;
};
struct stream_uart_errors stream_uart_errors(void);

/* Received bytes that were dropped or that still wait. */
uint64_t stream_uart_unread(void);

/* Messages about how the stream's line is served (kernel/io/stream_uart.h). */

struct text_buf; /* probe/text/text_buf.h */

/* Append what serves it.  After timer_calibrate(). */
void stream_uart_put_service(struct text_buf *to);

/* Log that at the start, unless its interrupt does.  After stream_uart_test_irq() and timer_calibrate(). */
void stream_uart_report_start(void);

/* Log at the end which transmit interrupts were lost.  Task PROBE. */
void stream_uart_report_end(void);

/* The receiving half of the stream's serial line; readers use kernel/io/stream_uart.h. */

/*
 * Keep what the UART has received, at most a FIFO of bytes; bytes without room are
 * counted.  `seen`: the line status, if it was read before, else 0.  Wakes PROBE if it
 * waits for bytes.  Returns the last line status.  Interrupt context.
 */
uint8_t stream_uart_rx_drain(const struct uart *u, uint8_t seen);

/* A byte as if it was received, where there is no line: of the keyboard.  Wakes PROBE too.  Interrupt context. */
void stream_uart_rx_put(uint8_t byte);

/*
 * Counts of what was received over the serial line, by what was wrong with it.  Written
 * by kernel/shell/host_link.c, printed or sent by kernel/report/report_counters.c.
 */

struct rx_counts {
    struct wire_received framing; /* what probe/command/rx_demux.h counts; the other members are 0 */
    uint64_t refused;             /* lines and commands that were understood and refused */
    uint64_t repeated;            /* commands that were received again: answered, not repeated */
};

extern struct rx_counts rx_counts; /* since boot; task PROBE */
