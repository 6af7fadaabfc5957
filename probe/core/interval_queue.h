/* SPDX-License-Identifier: MIT */
/*
 * Intervals drawn ahead: a task draws them from the schedule, the tick takes the
 * next one.  So no policy and no generator is in the way of a tick; where the
 * task did not come in time, the tick draws one itself, and the order of the
 * intervals is the schedule's all the same.
 */
#ifndef PROBE_CORE_INTERVAL_QUEUE_H
#define PROBE_CORE_INTERVAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/schedule.h"

#define INTERVAL_QUEUE_SIZE 4096u /* intervals; a power of two */
#define INTERVAL_PAIRED (1ull << 63) /* in an interval: its sample pairs with the one before */
#define INTERVAL_QUEUE_MAX (INTERVAL_QUEUE_SIZE - 2 * INTERVAL_QUEUE_CHECKPOINT)
#define INTERVAL_QUEUE_CHECKPOINT 64u /* of so many intervals one has the schedule before it kept */

/* A schedule, and how many intervals were drawn by then, modulo 2^32. */
struct interval_queue_state {
    struct schedule schedule;
    volatile uint32_t drawn;
};

/*
 * No word is larger than 32 bits that producer and tick both write: so much any
 * processor changes at once.
 */
struct interval_queue {
    volatile uint32_t drawn;   /* intervals drawn, ever: the producer's and the tick's */
    volatile uint32_t current; /* the state that the producer put in force last: its own word */
    uint32_t taken;  /* intervals given, ever: the tick's */
    uint64_t last;   /* the one given last, INTERVAL_PAIRED as it was drawn */
    uint64_t interval[INTERVAL_QUEUE_SIZE];
    struct schedule checkpoint[INTERVAL_QUEUE_SIZE / INTERVAL_QUEUE_CHECKPOINT]; /* before intervals 0, 64, 128, ... */
    struct interval_queue_state state[2];
};

/* Begin with this schedule, nothing drawn.  While no tick can come. */
void interval_queue_begin(struct interval_queue *q, const struct schedule *s);

/*
 * Draw until `wanted` intervals wait, at most INTERVAL_QUEUE_MAX: the mark of the one given
 * last must not be written over.  Task context, one
 * task; ticks may come, as interrupts or NMIs.
 */
void interval_queue_fill(struct interval_queue *q, uint32_t wanted);

/* Draw one in the tick, for none waits. */
uint64_t interval_queue_draw(struct interval_queue *q);

/* The next interval, counts, and `last` for it.  Interrupt context. */
static inline __attribute__((always_inline)) uint64_t interval_queue_next(struct interval_queue *q)
{
    const uint32_t taken = q->taken;
    uint64_t interval;

    if (taken == q->drawn)
        return interval_queue_draw(q);
    interval = q->interval[taken & (INTERVAL_QUEUE_SIZE - 1)];
    q->taken = taken + 1;
    q->last = interval;
    return interval & ~INTERVAL_PAIRED;
}

/* The sample at the end of the interval given last pairs with the one before it. */
static inline bool interval_queue_pairs(const struct interval_queue *q)
{
    return (int64_t)q->last < 0;
}

/* The schedule after the interval given last: at most 64 are drawn again.  Interrupt context. */
struct schedule interval_queue_schedule(const struct interval_queue *q);

#endif
