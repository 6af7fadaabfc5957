/* SPDX-License-Identifier: MIT */
/*
 * Counts a usual tick of the system monitor alone, as straight code without a call: for a handler that saves only
 * the registers that it changes.  The same steps as in probe_tick_on_time(), which does every other tick.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/probe.h"

/* Keep the compiler from computing a value again, or from its parts: it must be in one register. */
#define PLAIN_TICK_VALUE(value) __asm__("" : "+r"(value))

/*
 * The next point, with its POINT_PAIRED bit; false where probe_tick_on_time() has to do this tick, as somebody waits
 * for it, or its number is p->until.  That is at most queue.drawn.  Interrupt context.
 */
static inline __attribute__((always_inline)) bool plain_tick_next(const struct probe *p, uint64_t *point)
{
    const struct point_queue *const q = &p->queue;

    *point = q->point[q->taken & (point_queue_size(q) - 1)];
    PLAIN_TICK_VALUE(*point);
    return q->taken != *(const uint32_t *)&p->until;
}

/*
 * Count the sample of a tick that is not late, of a probe whose only monitor is the system monitor.  `home` is the
 * record of its row; `point` is what plain_tick_next() gave, and is armed.  Interrupt context.
 */
static inline __attribute__((always_inline)) void
plain_tick_count(struct probe *p, struct system_record *home, enum mode mode, uint64_t point)
{
    struct point_queue *const q = &p->queue;

    PLAIN_TICK_VALUE(home);
    system_count(&p->system, (struct system_place){ home, mode }, point_queue_pairs(q));
    q->taken++;
    q->last = point;
}
