/* SPDX-License-Identifier: MIT */
/* Recording a tick of a source that repeats by itself: lateness, overruns, the probe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/tick_record.h"

/*
 * The expected expiries of a device that ticks by itself, by the TSC: how late each tick is,
 * and how many had none.
 *
 * A measured period is never exact, and an error of a millionth would add up to a false
 * lateness.  So the timeline follows the device.  A tick cannot come before its expiry: one that
 * seems to sets the timeline back at once.  A tick after its expiry may have been delayed: it
 * sets the timeline forward by its lateness, but at most by an 8192nd of a period (122
 * millionths), which is more than crystals drift; if that was wrong, the next tick in time sets
 * it back.  A 64th of each such step goes into the period.
 */

#define TIMELINE_FOLLOW    13 /* 2^-13 of a period forward at most */
#define TIMELINE_LEARN     6  /* 2^-6 of a step into the period */
#define TIMELINE_BACK      8  /* times `follow`: the largest step back that goes into the period */
#define TIMELINE_MARGIN    4  /* times `follow`: so much the timeline may be off */
#define TIMELINE_MISSED    16 /* at most 2^16 - 1 missed periods are counted at one tick, the others at the next */

struct timeline {
    uint64_t due;    /* when the next tick expires, clock units; 0: not known */
    uint64_t period; /* clock units, 48.16 */
    uint64_t rest;   /* fraction of `due`, 1/65536 */
    int64_t floor;   /* lateness of a tick that nothing delayed, clock units */
    int64_t follow;  /* the largest step forward at a tick, clock units */
    bool doubtful;   /* the last tick that was counted as missed may still come, */
    bool lost;       /* and was counted as lost by the device */
};

/* `due`: when the first tick expires, where that is known, else 0.  Interrupts off. */
static inline void timeline_start(struct timeline *g, uint64_t due, uint64_t period, uint64_t floor)
{
    *g = (struct timeline){
        .due = due, .period = period, .floor = (int64_t)floor,
        .follow = (int64_t)(period >> (16 + TIMELINE_FOLLOW)),
    };
}

/* Move on by 2^shift periods.  Interrupt context. */
static inline void timeline_advance(struct timeline *g, unsigned shift)
{
    const uint64_t sum = g->rest + (g->period << shift);

    g->rest = sum & 0xffff;
    g->due += sum >> 16;
}

static inline void timeline_adjust(struct timeline *g, int64_t step)
{
    int64_t learn = step;

    if (learn < -TIMELINE_BACK * g->follow)
        learn = -TIMELINE_BACK * g->follow;
    g->due += (uint64_t)step;
    g->period += (uint64_t)(learn * (1 << (16 - TIMELINE_LEARN)));
}

/*
 * The whole periods in `late`, clock units: so many ticks are missing.  A period that is short
 * by no more than the margin counts.  The last missing tick may still come: it can have expired
 * after the CPU took this one and before the clock was read.
 */
static inline int64_t timeline_skip(struct timeline *g, int64_t late)
{
    const int64_t margin = TIMELINE_MARGIN * g->follow;
    int64_t missed = 0;

    for (unsigned shift = TIMELINE_MISSED; shift-- > 0;) {
        const int64_t span = (int64_t)(g->period << shift >> 16);

        if (late + margin >= span) {
            late -= span;
            missed += 1ll << shift;
            timeline_advance(g, shift);
        }
    }
    g->doubtful = missed != 0;
    return missed;
}

/*
 * Whether an interrupt at `now` comes more than half a period before its expiry: it is the tick
 * that was wrongly counted as missed, or none.  Interrupt context.
 */
static inline bool timeline_is_early(const struct timeline *g, uint64_t now)
{
    return g->due != 0 && (int64_t)(now - g->due) < -(int64_t)(g->period >> 17);
}

/*
 * Returns the lateness of the tick whose handler was entered at `now`, clock units, and the
 * missing ticks after it in `missed`; -1 where one that was counted as missed has come.
 * Interrupt context.
 */
static inline uint64_t timeline_lateness(struct timeline *g, uint64_t now, int64_t *missed)
{
    int64_t late, step;

    if (g->due == 0)
        g->due = now - (uint64_t)g->floor;
    *missed = 0;
    if (g->doubtful && timeline_is_early(g, now)) {
        *missed = -1;
        g->due -= g->period >> 16;
    }
    g->doubtful = false;
    late = (int64_t)(now - g->due);
    step = late - g->floor;
    if (late + TIMELINE_MARGIN * g->follow >= (int64_t)(g->period >> 16))
        *missed += timeline_skip(g, late);
    else
        timeline_adjust(g, step < g->follow ? step : g->follow);
    timeline_advance(g, 0);
    return (uint64_t)(step < 0 ? g->floor : late);
}

/* Clock units since the last expiry before `now`, whether it had a tick or not.  After timeline_lateness(). */
static inline uint64_t timeline_since_expiry(const struct timeline *g, uint64_t now)
{
    const int64_t since = (int64_t)(now - g->due + (g->period >> 16));

    return (uint64_t)(since < g->floor ? g->floor : since);
}

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
