/* SPDX-License-Identifier: MIT */
/*
 * The tick of the system monitor alone where all is usual, as straight code without a call: for a handler that saves only
 * the registers that it changes.  The same steps as in probe_tick_on_time(), which does every other tick.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/probe.h"

/* Keep the compiler from computing a value again, or from its parts: it must be in one register. */
#define PLAIN_TICK_VALUE(value) __asm__("" : "+r"(value))

/*
 * Count the sample of a tick that is not late, of a probe whose only monitor is the system monitor; *next: the next
 * interval, counts.  `home` is the record of its row.  False, with nothing changed, where
 * probe_tick_on_time() has to do it: somebody waits for this tick, or the interval is the one before `until` (by number, interval_queue.h) or longer than
 * `longest` counts.  `until` is at most interval_queue.drawn.  All intervals must be below 2^32 counts.  Interrupt context.
 */
static inline __attribute__((always_inline)) bool
plain_tick_count(struct probe *p, struct system_record *home, enum mode mode, uint32_t until, uint32_t longest, uint32_t *next)
{
    struct interval_queue *const q = &p->queue;
    const uint32_t taken = q->taken;
    const uint64_t interval = q->interval[taken & (interval_queue_size(q) - 1)];

    if (taken == until || (uint32_t)interval > longest)
        return false;
    PLAIN_TICK_VALUE(home);
    if (--p->to_check == 0) {
        p->to_check = 1;
        return false;
    }
    system_count(&p->system, (struct system_place){ home, mode }, interval_queue_pairs(q));
    q->taken = taken + 1;
    q->last = interval;
    *next = (uint32_t)interval;
    return true;
}
