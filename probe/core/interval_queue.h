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

#define AHEAD_ROOM 4096u /* intervals; a power of two */
#define AHEAD_PAIR (1ull << 63) /* in an interval: its sample pairs with the one before */
#define AHEAD_FULL (AHEAD_ROOM - 2 * AHEAD_MARK)
#define AHEAD_MARK 64u /* of so many intervals one has the schedule before it kept */

/* A schedule, and how many intervals were drawn by then, modulo 2^32. */
struct ahead_state {
    struct schedule schedule;
    volatile uint32_t drawn;
};

/*
 * No word is larger than 32 bits that producer and tick both write: so much any
 * processor changes at once.
 */
struct ahead {
    volatile uint32_t drawn;   /* intervals drawn, ever: the producer's and the tick's */
    volatile uint32_t current; /* the state that the producer put in force last: its own word */
    uint32_t taken;  /* intervals given, ever: the tick's */
    uint64_t last;   /* the one given last, AHEAD_PAIR as it was drawn */
    uint64_t interval[AHEAD_ROOM];
    struct schedule mark[AHEAD_ROOM / AHEAD_MARK]; /* before intervals 0, 64, 128, ... */
    struct ahead_state state[2];
};

/* Begin with this schedule, nothing drawn.  While no tick can come. */
void ahead_begin(struct ahead *a, const struct schedule *s);

/*
 * Draw until `wanted` intervals wait, at most AHEAD_FULL: the mark of the one given
 * last must not be written over.  Task context, one
 * task; ticks may come, as interrupts or NMIs.
 */
void ahead_fill(struct ahead *a, uint32_t wanted);

/* Draw one in the tick, for none waits. */
uint64_t ahead_draw(struct ahead *a);

/* The next interval, counts, and `last` for it.  Interrupt context. */
static inline __attribute__((always_inline)) uint64_t ahead_next(struct ahead *a)
{
    const uint32_t taken = a->taken;
    uint64_t interval;

    if (taken == a->drawn)
        return ahead_draw(a);
    interval = a->interval[taken & (AHEAD_ROOM - 1)];
    a->taken = taken + 1;
    a->last = interval;
    return interval & ~AHEAD_PAIR;
}

/* The sample at the end of the interval given last pairs with the one before it. */
static inline bool ahead_pair(const struct ahead *a)
{
    return (int64_t)a->last < 0;
}

/* The schedule after the interval given last: at most 64 are drawn again.  Interrupt context. */
struct schedule ahead_schedule(const struct ahead *a);

#endif
