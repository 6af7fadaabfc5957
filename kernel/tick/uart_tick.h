/* SPDX-License-Identifier: MIT */
/*
 * What the two ticks of a UART share: the port that the words name, the
 * listening to its interrupt at the start, and what is told at the end.
 */
#ifndef KERNEL_TICK_UART_TICK_H
#define KERNEL_TICK_UART_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io/serial_device.h"
#include "kernel/tick/calibrate.h"
#include "kernel/tick/source.h"
#include "kernel/tick/uart_tick_guard.h"

#define SLU_NO_VECTOR 256u /* of a source whose device is another's at the moment */

struct slu {
    struct serial_device device;
    bool stream;        /* it is the stream's own port */
    bool unmasked;      /* its interrupts come as NMI: the port is not the stream's; of the last find() or stop() */
    unsigned heard;     /* interrupts that are listened to, up to SLU_HEARD (kernel/tick/uart_tick_listen.h) */
    uint32_t divisor;
    uint64_t character; /* time of a byte as the divisor makes it, clock units */
    uint64_t period;    /* between ticks, measured; clock units; of the delivery, by begin() */
};

/*
 * The port of slu=, for interrupts of so many characters each; `beside`: any but
 * the stream's.  Its UART is set up, or, the stream's, left as it is.  NULL, or why
 * there is none: a sentence without its full stop.  Once, interrupts off.
 */
const char *slu_find(struct slu *s, const struct calibration *c, uint64_t characters, bool beside);

/* Ticks a second of so many characters each, as the words have it: before slu_find(), too. */
uint32_t slu_rate(uint64_t characters);

/*
 * What ticks of s->period, `characters` bytes each, are to the schedule; counts
 * are sixteenths of a bit.  The start.
 */
void slu_facts(struct source_facts *f, const struct slu *s, const struct calibration *c,
               uint64_t characters);

/* Source's fit(): NULL, or why a rate cannot be had, for the line makes one. */
const char *slu_fit(struct source_facts *f, const struct slu *s, const struct source_request *r,
                    uint64_t characters);

/* The port's way to this delivery, open, or not.  Interrupts off. */
void slu_open(const struct slu *s, uint64_t (*handler)(const struct cpu_frame *f, uint64_t now));
void slu_close(const struct slu *s);

/* Wait, bounded, until the last byte has left the line.  Task context. */
void slu_wait_empty(const struct slu *s);

/* Say what was not as it should be.  Task PROBE, at the end of the run. */
void slu_tell(const struct slu *s, const struct slu_guard *g, uint64_t refuted);

#endif
