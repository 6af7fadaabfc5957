/* SPDX-License-Identifier: MIT */
/* What the handler of a source that ticks by itself does with a tick: lateness, overruns, the probe. */
#ifndef KERNEL_SOURCE_TICK_PERIODIC_H
#define KERNEL_SOURCE_TICK_PERIODIC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/tick_record.h"
#include "kernel/source/tick_timeline.h"

/*
 * Whether nothing can have held an interrupt off since `since`: the account saw
 * no change of cell from there on, or, where it is not kept, the CPU was halted.
 */
static inline bool tick_was_unblocked(uint64_t since)
{
    return account_on ? account.last <= since : current->id == ROW_IDLE;
}

/*
 * Count the tick at `now` and the periods before it that nobody saw, each for
 * 2^shift.  They are overruns, unless nothing held them off: then the device lost
 * them, and this tick is in time.  Returns false where it was the last.
 */
static inline bool tick_record_periodic(struct probe *p, struct timeline *g, const struct cpu_frame *f,
                                  uint64_t now, unsigned shift)
{
    const uint64_t due = g->due;
    int64_t missed;
    uint64_t lateness = timeline_lateness(g, now, &missed);

    if (missed > 0) {
        g->lost = tick_was_unblocked(due);
        if (g->lost)
            lateness = timeline_since_expiry(g, now);
    }
    *(g->lost ? &p->counters.missed_source : &p->counters.missed_overrun) +=
        (uint64_t)(missed * (1ll << shift));
    p->counters.missed_overrun += (1ull << shift) - 1;
    return tick_record(p, f, now, lateness) != 0;
}

#endif
