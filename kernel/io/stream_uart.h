/* SPDX-License-Identifier: MIT */
/* The stream's serial line: a ring that the transmit interrupt empties. */
#ifndef KERNEL_IO_STREAM_UART_H
#define KERNEL_IO_STREAM_UART_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "probe/config/serial_spec.h"

#define SERIAL_RING 32768u /* bytes; a power of two */
#define SERIAL_HEARD 2048u /* bytes that came in; a power of two */

/*
 * Take the UART at this place; false where none answers.  Until serial_start()
 * bytes are sent by polling.  Once, interrupts off.
 */
bool serial_init(const struct serial_device *device, const struct serial_spec *line);

/*
 * Whether the UART's interrupt comes, by counting: it is asked for some times, and no
 * byte is sent for it.  Where one does not come within a hundredth of a second the UART
 * counts as one without interrupt.  Once, the TSC's rate known, before serial_start();
 * interrupts off, and on meanwhile.
 */
void serial_prove(uint64_t clock_hz);

struct serial_proof {
    unsigned irq, shots, came; /* of so many that were asked for; shots 0: no interrupt is known */
};
struct serial_proof serial_proof(void);

/*
 * From here on the UART's interrupt serves the line, or, where there is none, the
 * system clock's, often enough for the rate of the line.  Once, the 8259 running.
 */
void serial_start(void);

/* How the system clock serves it, where it does: the clock and the line are known. */
struct serial_looks {
    uint32_t hz;        /* looks a second */
    uint32_t safe_baud; /* up to this rate no byte is lost between two looks, bit/s */
};
struct serial_looks serial_looks(void);

/* Transmit interrupts that did not come since the start.  Task context. */
struct serial_losses {
    uint64_t kicked; /* each was asked for anew */
    bool given_up;   /* in vain: the system clock serves the line */
};
struct serial_losses serial_losses(void);

/*
 * What the second and the third byte of all took to leave for the line, TSC clocks
 * (uart/pacing.h): 0 where no four were sent yet.  Interrupts off.
 */
void serial_took(uint64_t took[2]);

/* Where and what it is, e.g. "COM1 (port 0x3f8), 16550A". */
const char *serial_name(void);

/*
 * Put bytes on the line, all or none: false where the ring has no room for them
 * (after serial_start) or the UART takes none.  Task context.
 */
bool serial_write(const uint8_t *bytes, uint32_t length);

/*
 * The same, but wait for room, asleep: at most two seconds, and once that was in
 * vain not at all until the line takes bytes again.  False where the bytes found
 * no room.  Task context, after the tasks run.
 */
bool serial_write_patiently(const uint8_t *bytes, uint32_t length);

/* Bytes that the ring has room for. */
uint32_t serial_room(void);

/*
 * Back to polling, for the end or a panic: sends what the ring holds, waits,
 * bounded, for the last byte to leave.  Interrupts off.
 */
void serial_finish(void);

/*
 * Lend the transmitter to somebody who sends at his own times: bytes wait in the
 * ring for serial_next(), and its interrupt is his; what comes in has none and is
 * left to him, too (serial_receive()).  Interrupts off, and on for a moment: a request
 * of the UART that is pending is the executive's yet.
 */
void serial_lend(void);

/* The transmitter, and the interrupt of what comes in, are the executive's again.  Interrupts off. */
void serial_take_back(void);

/* Take in what a lent line has received, its status as it was read.  Interrupt context. */
void serial_receive(uint8_t status);

/* The next byte of a lent line, or the zero that readers pass over.  Interrupt context. */
uint8_t serial_next(void);

/* Where the stream's UART is. */
const struct serial_device *serial_place(void);

/* The UART's interrupt. */
void serial_interrupt(void);

/* The IRQ of the stream's UART. */
unsigned serial_irq(void);

/* The oldest byte that came in and was not taken; false if there is none.  Task PROBE. */
bool serial_take(uint8_t *byte);

/* Sleep until a byte waits to be taken, or the clock reads `until`.  Task PROBE. */
void serial_listen(uint64_t until);

/* The same, but until a byte more has come in than when it was called. */
void serial_listen_more(uint64_t until);

/* End such a sleep, or the next one, before its time.  Interrupts off. */
void serial_rouse(void);

/* Drop what waits to be taken up to the last such byte; false where there is none.  Task PROBE. */
bool serial_take_past(uint8_t byte);

/* Drop what was written and has not left yet.  Task PROBE. */
void serial_forget(void);

/* When the last byte came in, TSC; 0: none has.  Task context. */
uint64_t serial_heard_at(void);

/* What the UART said was wrong with what came in, since the start. */
struct serial_errors {
    uint64_t overrun; /* times that bytes were lost, not fetched in time */
    uint64_t parity, framing, breaks;
};
struct serial_errors serial_errors(void);

/* Bytes that came in, and that nobody took or that found no room. */
uint64_t serial_unread(void);

#endif
