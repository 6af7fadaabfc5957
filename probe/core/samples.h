/* SPDX-License-Identifier: MIT */
/*
 * The samples monitor: every sample as it is, in a ring: the tick
 * appends, and a task takes them out (probe/stream/sample_encode.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"

#ifndef SAMPLES_RING
#define SAMPLES_RING 16384u /* a power of two */
#endif

#define SAMPLE_NO_ARRIVAL INT32_MIN

struct sample_record {
    uint64_t time;     /* that of its point; of a late one, and where ticks have no points, as in struct sample */
    uint64_t pc;       /* as in struct sample */
    uint64_t tick;     /* number of the point, or of the tick, from 0 */
    /* from its point to the entry of the handler, clock units, as the handler read the clock; or none: */
    int32_t arrival;
    uint32_t task;
    uint8_t mode;      /* enum mode */
    uint8_t delay;     /* enum delay */
    uint8_t masked;    /* 1: interrupts were off; only where samples_mark() is called, by ticks as NMI */
};

/* One producer in interrupt context, one consumer in task context.  All zero to begin. */
struct samples_ring {
    volatile uint64_t put, taken; /* records since the start; put - taken <= SAMPLES_RING */
    volatile uint64_t lost;       /* samples that found no room */
    struct sample_record record[SAMPLES_RING];
};

/*
 * Where the next sample goes, which the caller writes there, but for its `masked`; NULL, and the sample is counted as
 * lost: there is no room.  Then samples_put() appends it.  Interrupt context.
 */
static inline struct sample_record *samples_place(struct samples_ring *ring)
{
    const uint64_t put = ring->put;

    if (put - ring->taken != SAMPLES_RING)
        return &ring->record[put & (SAMPLES_RING - 1)];
    ring->lost++;
    return NULL;
}

static inline void samples_put(struct samples_ring *ring)
{
    __asm__ volatile("" : : : "memory"); /* one processor: the compiler's order is enough */
    ring->put++;
}

/* Sample number `put` since the start found interrupts off, or on.  The tick that appended it. */
void samples_mark(struct samples_ring *ring, uint64_t put, bool masked);

/* Take the oldest; false if there is none.  Task context, one task. */
bool samples_take(struct samples_ring *ring, struct sample_record *to);
