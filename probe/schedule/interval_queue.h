/* SPDX-License-Identifier: MIT */
/*
 * A queue of intervals: a task draws them from the schedule in advance, and the tick
 * takes the next one.  So a tick does not run the policy or the generator.  If the
 * queue is empty, the tick draws one interval itself; the order stays the schedule's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/schedule/schedule.h"

#ifndef INTERVAL_QUEUE_SIZE
#define INTERVAL_QUEUE_SIZE 8192u /* intervals; a power of two: a task that runs each 10 ms keeps up with 800 000 ticks a second */
#endif
#define INTERVAL_PAIRED (1ull << 63) /* set in an interval whose sample pairs with the sample before */
#define INTERVAL_QUEUE_MAX (INTERVAL_QUEUE_SIZE - 2 * INTERVAL_QUEUE_CHECKPOINT)
#ifndef INTERVAL_QUEUE_CHECKPOINT
#define INTERVAL_QUEUE_CHECKPOINT 64u /* intervals from one saved schedule to the next; a power of two */
#endif

/* A schedule, and how many intervals were drawn by then, modulo 2^32. */
struct interval_queue_state {
    struct schedule schedule;
    volatile uint32_t drawn;
};

/*
 * The words that both the producer and the tick write have 32 bits: any processor
 * writes these in one access.
 */
struct interval_queue {
    volatile uint32_t drawn;   /* intervals drawn since the start; written by producer and tick */
    volatile uint32_t current; /* index of the state in force; written by the producer only */
    uint32_t taken;  /* intervals given since the start; written by the tick only */
    uint64_t last;   /* the interval given last, with its INTERVAL_PAIRED bit */
#ifdef INTERVAL_QUEUE_GIVEN
    uint64_t *interval;
    struct schedule *checkpoint;
    uint32_t size; /* 0: there is no memory, and the tick draws each interval */
#else
    uint64_t interval[INTERVAL_QUEUE_SIZE];
    struct schedule checkpoint[INTERVAL_QUEUE_SIZE / INTERVAL_QUEUE_CHECKPOINT]; /* before 0, 64, 128, ... */
#endif
    struct interval_queue_state state[2];
};

/*
 * The intervals that wait stand in the queue, and their number is one of the compiler.  With INTERVAL_QUEUE_GIVEN they
 * stand in memory of the caller, of any size or none: that is one load more in each tick.
 */
static inline uint32_t interval_queue_size(const struct interval_queue *q)
{
#ifdef INTERVAL_QUEUE_GIVEN
    return q->size;
#else
    (void)q;
    return INTERVAL_QUEUE_SIZE;
#endif
}

/* Bytes for a queue of so many intervals, a power of two of at least 4 * INTERVAL_QUEUE_CHECKPOINT.  Any context. */
static inline size_t interval_queue_bytes(uint32_t size)
{
    return size * sizeof(uint64_t) + size / INTERVAL_QUEUE_CHECKPOINT * sizeof(struct schedule);
}

/* Give that memory, 8-byte aligned, before interval_queue_begin(); nothing without INTERVAL_QUEUE_GIVEN.  Task context. */
static inline void interval_queue_give(struct interval_queue *q, void *memory, uint32_t size)
{
#ifdef INTERVAL_QUEUE_GIVEN
    q->interval = memory;
    q->checkpoint = (struct schedule *)(q->interval + size);
    q->size = size;
#else
    (void)q, (void)memory, (void)size;
#endif
}

/* Most intervals that can wait.  Any context. */
static inline uint32_t interval_queue_most(const struct interval_queue *q)
{
    const uint32_t size = interval_queue_size(q);

    return size != 0 ? size - 2 * INTERVAL_QUEUE_CHECKPOINT : 0;
}

/* Begin with this schedule and an empty queue.  Call while no tick can come. */
void interval_queue_begin(struct interval_queue *q, const struct schedule *s);

/*
 * Draw until `wanted` intervals wait, at most interval_queue_most(): the checkpoint before
 * the interval given last must not be overwritten.  It draws no more than `wanted` in a call, so that it ends where
 * ticks take intervals as fast as they are drawn.  Task context, one task; ticks may come, as interrupts or NMIs.
 */
void interval_queue_fill(struct interval_queue *q, uint32_t wanted);

/* Draw one interval in the tick, because the queue is empty.  Interrupt context. */
uint64_t interval_queue_draw(struct interval_queue *q);

/* Take the next interval, counts; sets `last`.  Interrupt context. */
static inline __attribute__((always_inline)) uint64_t interval_queue_next(struct interval_queue *q)
{
    const uint32_t taken = q->taken;
    uint64_t interval;

    if (taken == q->drawn)
        return interval_queue_draw(q);
    interval = q->interval[taken & (interval_queue_size(q) - 1)];
    q->taken = taken + 1;
    q->last = interval;
    return interval & ~INTERVAL_PAIRED;
}

/* The sample at the end of the interval given last pairs with the one before it. */
static inline bool interval_queue_pairs(const struct interval_queue *q)
{
    return (q->last & INTERVAL_PAIRED) != 0;
}

/* The schedule after the interval given last: at most 64 are drawn again.  Interrupt context. */
struct schedule interval_queue_schedule(const struct interval_queue *q);
