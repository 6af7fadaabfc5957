/* SPDX-License-Identifier: MIT */
/*
 * Keeps the next points of a schedule: a task draws them in advance, and the tick takes the next one.  So a tick does
 * not run the policy or the generator.  If the queue is empty, the tick draws one point itself; the order stays the
 * schedule's.  Point k is (the sum of the first k intervals << `shift`) clock units, which is even, behind `origin`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/schedule/schedule.h"

#ifndef POINT_QUEUE_SIZE
/* points; a power of two: a task that runs each 10 ms keeps up with 800 000 ticks a second */
#define POINT_QUEUE_SIZE 8192u
#endif
#define POINT_PAIRED 1ull /* set in a point whose sample pairs with the sample before; points are even */
#define POINT_QUEUE_MAX (POINT_QUEUE_SIZE - 2 * POINT_QUEUE_CHECKPOINT)
#ifndef POINT_QUEUE_CHECKPOINT
#define POINT_QUEUE_CHECKPOINT 64u /* points from one saved schedule to the next; a power of two */
#endif

/* A schedule, and how many points were drawn by then, modulo 2^32. */
struct point_queue_state {
    struct schedule schedule;
    volatile uint32_t drawn;
};

/*
 * The words that both the producer and the tick write have 32 bits: any processor
 * writes these in one access.
 */
struct point_queue {
    volatile uint32_t drawn;   /* points drawn since the start; written by producer and tick */
    volatile uint32_t current; /* index of the state in force; written by the producer only */
    uint32_t taken;  /* points given since the start; written by the tick only */
    uint64_t last;   /* the point given last, with its POINT_PAIRED bit */
    /* the time from which points count, clock units; 0 until the owner sets it, before the first tick */
    uint64_t origin;
    unsigned shift;  /* binary logarithm of the schedule's unit, clock units */
#ifdef POINT_QUEUE_GIVEN
    uint64_t *point;
    struct schedule *checkpoint;
    uint32_t size; /* 0: there is no memory, and the tick draws each point */
#else
    uint64_t point[POINT_QUEUE_SIZE];
    struct schedule checkpoint[POINT_QUEUE_SIZE / POINT_QUEUE_CHECKPOINT]; /* before 0, 64, 128, ... */
#endif
    struct point_queue_state state[2];
};

/*
 * The points that wait stand in the queue, and their number is one of the compiler.  With POINT_QUEUE_GIVEN they
 * stand in memory of the caller, of any size or none: that is one load more in each tick.
 */
static inline uint32_t point_queue_size(const struct point_queue *q)
{
#ifdef POINT_QUEUE_GIVEN
    return q->size;
#else
    (void)q;
    return POINT_QUEUE_SIZE;
#endif
}

/* Bytes for a queue of so many points, a power of two of at least 4 * POINT_QUEUE_CHECKPOINT.  Any context. */
static inline size_t point_queue_bytes(uint32_t size)
{
    return size * sizeof(uint64_t) + size / POINT_QUEUE_CHECKPOINT * sizeof(struct schedule);
}

/* Give that memory, 8-byte aligned, before point_queue_begin(); nothing without POINT_QUEUE_GIVEN.  Task context. */
static inline void point_queue_give(struct point_queue *q, void *memory, uint32_t size)
{
#ifdef POINT_QUEUE_GIVEN
    q->point = memory;
    q->checkpoint = (struct schedule *)(q->point + size);
    q->size = size;
#else
    (void)q, (void)memory, (void)size;
#endif
}

/* Most points that can wait.  Any context. */
static inline uint32_t point_queue_most(const struct point_queue *q)
{
    const uint32_t size = point_queue_size(q);

    return size != 0 ? size - 2 * POINT_QUEUE_CHECKPOINT : 0;
}

/*
 * Begin with this schedule, whose unit is 2^shift clock units, shift at least 1, and an empty queue.
 * Call while no tick can come.
 */
void point_queue_begin(struct point_queue *q, const struct schedule *s, unsigned shift);

/*
 * Draw until `wanted` intervals wait, at most point_queue_most(): the checkpoint before
 * the point given last must not be overwritten.  It draws no more than `wanted` in a call, so that it ends where
 * ticks take points as fast as they are drawn.  Task context, one task; ticks may come, as interrupts or NMIs.
 */
void point_queue_fill(struct point_queue *q, uint32_t wanted);

/* Draw one point in the tick, because the queue is empty.  Interrupt context. */
void point_queue_draw(struct point_queue *q);

/* Take the next point; sets `last`.  Interrupt context. */
static inline __attribute__((always_inline)) void point_queue_next(struct point_queue *q)
{
    const uint32_t taken = q->taken;
    uint64_t point;

    if (taken == q->drawn) {
        point_queue_draw(q);
        return;
    }
    point = q->point[taken & (point_queue_size(q) - 1)];
    q->taken = taken + 1;
    q->last = point;
}

/* The time of the point given last, clock units.  Interrupt context. */
static inline uint64_t point_queue_pending(const struct point_queue *q)
{
    return (q->last & ~POINT_PAIRED) + q->origin;
}

/* The sample at the point given last pairs with the one before it. */
static inline bool point_queue_pairs(const struct point_queue *q)
{
    return (q->last & POINT_PAIRED) != 0;
}

/* The schedule after the point given last: at most 64 are drawn again.  Interrupt context. */
struct schedule point_queue_schedule(const struct point_queue *q);
