/* SPDX-License-Identifier: MIT */
/* Recording a tick of a source that repeats by itself: lateness, overruns, the probe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/tick_record.h"
#include "kernel/source/tick_timeline.h"

/*
 * Whether interrupts were on all the time since `since`: the account saw no change of cell
 * after it, or, without an account, the CPU was halted.
 */
static inline bool tick_was_unblocked(uint64_t since)
{
    return account_on ? account.last <= since : current->id == ROW_IDLE;
}

/*
 * Record the tick at `now`, and count the periods before it that had no tick, each as 2^shift.
 * They are overruns, unless interrupts were on: then the device lost them (missed_source), and
 * this tick is in time.  Returns false where it was the last.  Interrupt context.
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
