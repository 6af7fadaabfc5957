/* SPDX-License-Identifier: MIT */
/*
 * What the two ticks of a UART share: the port that the words name, the
 * listening to its interrupt at the start, and what is told at the end.
 */
#ifndef KERNEL_SOURCE_UART_TICK_H
#define KERNEL_SOURCE_UART_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "kernel/source/calibrate.h"
#include "kernel/source/source.h"
#include "kernel/source/uart_tick_guard.h"

struct uart_tick {
    struct serial_device device;
    bool stream;        /* it is the stream's own port */
    bool via_nmi;      /* its interrupts come as NMI: the port is not the stream's; of the last detect() or stop() */
    unsigned heard;     /* interrupts that are listened to, up to UART_TICK_HEARD (kernel/source/uart_tick_listen.h) */
    uint32_t divisor;
    uint64_t character; /* time of a byte as the divisor makes it, clock units */
    uint64_t period;    /* between ticks, measured; clock units; of the delivery, by begin() */
};

/*
 * The port of slu=, for interrupts of so many characters each; `beside`: any but
 * the stream's.  Its UART is set up, or, the stream's, left as it is.  NULL, or why
 * there is none: a sentence without its full stop.  Once, interrupts off.
 */
const char *uart_tick_detect(struct uart_tick *s, const struct calibration *c, uint64_t characters, bool beside);

/* Ticks a second of so many characters each, as the words have it: before uart_tick_detect(), too. */
uint32_t uart_tick_rate(uint64_t characters);

/*
 * What ticks of s->period, `characters` bytes each, are to the schedule; counts
 * are sixteenths of a bit.  The start.
 */
void uart_tick_facts(struct source_facts *f, const struct uart_tick *s, const struct calibration *c,
               uint64_t characters);

/* Source's set_rate(): NULL, or why a rate cannot be had, for the line makes one. */
const char *uart_tick_set_rate(struct source_facts *f, const struct uart_tick *s, const struct source_request *r,
                    uint64_t characters);

/* The port's way to this delivery, open, or not.  Interrupts off. */
void uart_tick_open(const struct uart_tick *s, uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void uart_tick_close(const struct uart_tick *s);

/* Switch the port's interrupts off; a request that is pending comes to its handler before.  Interrupts off. */
void uart_tick_silence(const struct uart_tick *s);

/* Whether the 8259 holds a request of the port: then a late tick is only delayed, not lost.  Interrupts off. */
bool uart_tick_is_pending(const struct uart_tick *s);

/* Wait, bounded, until the last byte has left the line.  Task context. */
void uart_tick_wait_empty(const struct uart_tick *s);

/* Say what was not as it should be.  Task PROBE, at the end of the run. */
void uart_tick_report(const struct uart_tick *s, const struct uart_tick_guard *g, uint64_t refuted);

#endif
