/* SPDX-License-Identifier: MIT */
/*
 * The common part of the two UART tick sources (source_slu.c, source_slu_timeout.c): the port
 * that slu= names, its rate, its interrupt, and the messages at the end of a run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "kernel/slu/uart_tick_guard.h"
#include "kernel/source/calibrate.h"
#include "kernel/source/source.h"

extern struct source source_slu, source_slu_timeout; /* the vector is that of the port, once found */

struct uart_tick {
    struct serial_device device;
    bool stream;        /* it is the stream's own port */
    bool via_nmi;      /* its interrupts come as NMI (never the stream's); set by detect() and stop() */
    unsigned heard;     /* interrupts that are listened to, up to UART_TICK_HEARD (kernel/slu/uart_tick.h) */
    uint32_t divisor;
    uint64_t character; /* time of a byte as the divisor makes it, clock units */
    uint64_t period;    /* between ticks, measured; clock units; of the delivery, by begin() */
};

/*
 * Find the port of slu=, for ticks of so many characters each; `not_stream`: it may not be the
 * stream's.  Its UART is initialised; the stream's is left as it is.  False where there is
 * none.  Once a delivery, interrupts off.
 */
bool uart_tick_detect(struct uart_tick *s, const struct calibration *c, uint64_t characters, bool not_stream,
                      struct refusal *why);

/* Ticks a second of so many characters each, by the rate that the configuration has.  Any context. */
uint32_t uart_tick_rate(uint64_t characters);

/*
 * Fill in the facts of a source whose ticks of s->period are `characters` bytes each; its
 * counts are sixteenths of a bit.  The start.
 */
void uart_tick_facts(struct source_facts *f, const struct uart_tick *s, const struct calibration *c,
                     uint64_t characters);

/* set_rate() of such a source. */
bool uart_tick_set_rate(struct source_facts *f, const struct uart_tick *s, const struct source_request *r,
                        uint64_t characters, struct refusal *why);

/* Unmask the port's interrupt by the delivery in force, or mask it.  Interrupts off. */
void uart_tick_open(const struct uart_tick *s, uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void uart_tick_close(const struct uart_tick *s);

/* Switch the port's interrupts off; a request that is pending comes to its handler before.  Interrupts off. */
void uart_tick_silence(const struct uart_tick *s);

/* Whether the 8259 holds a request of the port: then a late tick is only delayed, not lost.  Interrupts off. */
bool uart_tick_is_pending(const struct uart_tick *s);

/* Wait, bounded, until the last byte has left the line.  Task context. */
void uart_tick_wait_empty(const struct uart_tick *s);

/* Print what went wrong.  Task PROBE, at the end of the run. */
void uart_tick_report(const struct uart_tick *s, const struct uart_tick_guard *g, uint64_t refuted);

/* Counting and timing a UART's interrupts at the start. */

#define UART_TICK_HEARD 26u /* interrupts that are listened to, of the tick that is asked for */

struct uart_tick_irq {
    unsigned irq;    /* of the port */
    unsigned number; /* how many are listened to, up to UART_TICK_HEARD */
};

/*
 * Register the interrupt of `source`, call `begin`, and wait until each of i->number interrupts
 * has called uart_tick_heard(); then stop the source.  False where they do not come within
 * `longest` clock units.  Interrupts on meanwhile, off at the end.
 */
bool uart_tick_listen(const struct uart_tick_irq *i, struct source *source, void (*begin)(void), uint64_t longest);

/* The same by NMI, interrupts off throughout.  Returns how many called uart_tick_heard(). */
unsigned uart_tick_listen_nmi(void (*begin)(void), unsigned number, uint64_t longest);

/* Note one interrupt by a value; true: more are wanted.  Interrupt context. */
bool uart_tick_heard(uint64_t value);

/* The values noted, in order, from 0. */
uint64_t uart_tick_heard_at(unsigned index);

/*
 * A UART's interrupt as NMI: the route of its line, proven by counting, and the acknowledging
 * of its requests.  An NMI is edge-triggered, so that the line must fall before the next
 * request: all requests are acknowledged before the byte is sent whose interrupt is the next.
 */

/* The functions of a source that uart_tick_nmi_listen() calls. */
struct uart_tick_nmi {
    uint64_t (*handler)(const struct cpu_frame *f, uint64_t now); /* kernel/source/nmi.h */
    void (*begin)(void), (*stop)(void);
};

/*
 * uart_tick_listen() by NMI.  False where the port's interrupts do not come so.  Interrupts off
 * throughout.
 */
bool uart_tick_nmi_listen(const struct uart_tick *s, const struct uart_tick_nmi *source, uint64_t longest,
                          struct refusal *why);

/* Deliver the port's edges to a handler, once the route is proven; or mask them.  Interrupts off. */
void uart_tick_nmi_open(uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void uart_tick_nmi_close(void);

/*
 * Acknowledge the port's requests until it has none.  With `received`, received bytes are
 * dropped and counted there.  The loop is bounded: an interrupt that is still requested then is
 * disabled and enabled by `enable`, which makes a new edge.  False where nothing was requested.
 * NMI context.
 */
bool uart_tick_nmi_silence(const struct uart *u, unsigned *received,
                           void (*enable)(const struct uart *u, bool on));
