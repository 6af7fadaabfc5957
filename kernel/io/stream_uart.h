/* SPDX-License-Identifier: MIT */
/* The stream's serial line: a ring that the transmit interrupt empties. */
#ifndef KERNEL_IO_STREAM_UART_H
#define KERNEL_IO_STREAM_UART_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "probe/config/serial_spec.h"

#define STREAM_UART_TX_RING 32768u /* bytes; a power of two */
#define STREAM_UART_RX_RING 2048u /* bytes that came in; a power of two */

/*
 * Take the UART at this place; false where none answers.  Until stream_uart_start()
 * bytes are sent by polling.  Once, interrupts off.
 */
bool stream_uart_init(const struct serial_device *device, const struct serial_spec *line);

/*
 * Whether the UART's interrupt comes, by counting: it is asked for some times, and no
 * byte is sent for it.  Where one does not come within a hundredth of a second the UART
 * counts as one without interrupt.  Once, the TSC's rate known, before stream_uart_start();
 * interrupts off, and on meanwhile.
 */
void stream_uart_test_irq(uint64_t clock_hz);

struct stream_uart_irq_test {
    unsigned irq, shots, came; /* of so many that were asked for; shots 0: no interrupt is known */
};
struct stream_uart_irq_test stream_uart_irq_test(void);

/*
 * From here on the UART's interrupt serves the line, or, where there is none, the
 * system clock's, often enough for the rate of the line.  Once, the 8259 running.
 */
void stream_uart_start(void);

/* How the system clock serves it, where it does: the clock and the line are known. */
struct stream_uart_polling {
    uint32_t hz;        /* looks a second */
    uint32_t safe_baud; /* up to this rate no byte is lost between two looks, bit/s */
};
struct stream_uart_polling stream_uart_polling(void);

/* Transmit interrupts that did not come since the start.  Task context. */
struct stream_uart_lost_irqs {
    uint64_t kicked; /* each was asked for anew */
    bool given_up;   /* in vain: the system clock serves the line */
};
struct stream_uart_lost_irqs stream_uart_lost_irqs(void);

/*
 * What the second and the third byte of all took to leave for the line, TSC clocks
 * (uart/pacing.h): 0 where no four were sent yet.  Interrupts off.
 */
void stream_uart_byte_times(uint64_t took[2]);

/* Where and what it is, e.g. "COM1 (port 0x3f8), 16550A". */
const char *stream_uart_name(void);

/*
 * Put bytes on the line, all or none: false where the ring has no room for them
 * (after stream_uart_start) or the UART takes none.  Task context.
 */
bool stream_uart_write(const uint8_t *bytes, uint32_t length);

/*
 * The same, but wait for room, asleep: at most two seconds, and once that was in
 * vain not at all until the line takes bytes again.  False where the bytes found
 * no room.  Task context, after the tasks run.
 */
bool stream_uart_write_wait(const uint8_t *bytes, uint32_t length);

/* Bytes that the ring has room for. */
uint32_t stream_uart_tx_room(void);

/*
 * Back to polling, for the end or a panic: sends what the ring holds, waits,
 * bounded, for the last byte to leave.  Interrupts off.
 */
void stream_uart_flush(void);

/*
 * Lend the transmitter to somebody who sends at his own times: bytes wait in the
 * ring for stream_uart_lent_next(), and its interrupt is his; what comes in has none and is
 * left to him, too (stream_uart_lent_receive()).  Interrupts off, and on for a moment: a request
 * of the UART that is pending is the executive's yet.
 */
void stream_uart_lend(void);

/* The transmitter, and the interrupt of what comes in, are the executive's again.  Interrupts off. */
void stream_uart_reclaim(void);

/* Take in what a lent line has received, its status as it was read.  Interrupt context. */
void stream_uart_lent_receive(uint8_t status);

/* The next byte of a lent line, or the zero that readers pass over.  Interrupt context. */
uint8_t stream_uart_lent_next(void);

/* Where the stream's UART is. */
const struct serial_device *stream_uart_device(void);

/* The UART's interrupt. */
void stream_uart_interrupt(void);

/* The IRQ of the stream's UART. */
unsigned stream_uart_irq(void);

/* The oldest byte that came in and was not taken; false if there is none.  Task PROBE. */
bool stream_uart_read(uint8_t *byte);

/* Sleep until a byte waits to be taken, or the clock reads `until`.  Task PROBE. */
void stream_uart_wait_rx(uint64_t until);

/* The same, but until a byte more has come in than when it was called. */
void stream_uart_wait_more_rx(uint64_t until);

/* End such a sleep, or the next one, before its time.  Interrupts off. */
void stream_uart_wake_reader(void);

/* Drop what waits to be taken up to the last such byte; false where there is none.  Task PROBE. */
bool stream_uart_discard_past(uint8_t byte);

/* Drop what was written and has not left yet.  Task PROBE. */
void stream_uart_discard_tx(void);

/* When the last byte came in, TSC; 0: none has.  Task context. */
uint64_t stream_uart_rx_time(void);

/* What the UART said was wrong with what came in, since the start. */
struct stream_uart_errors {
    uint64_t overrun; /* times that bytes were lost, not fetched in time */
    uint64_t parity, framing, breaks;
};
struct stream_uart_errors stream_uart_errors(void);

/* Bytes that came in, and that nobody took or that found no room. */
uint64_t stream_uart_unread(void);

#endif
