/* SPDX-License-Identifier: MIT */
/*
 * Makes a one-shot timer a tick source, armed in the handler, where only the TSC tells how late a tick is: the local
 * APIC's timer and the HPET.  Inline where a tick runs it: a source has one `const struct one_shot_device` in its
 * file, so that the compiler knows the calls.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "kernel/measure/one_shot.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_record.h"
#include "probe/core/one_shot_way.h"

#define ONE_SHOT_FACTOR 24 /* fractional bits of `factor` */
/* clock units: with the counts of any timer below 2^32 a second, a product below 2^64 */
#define ONE_SHOT_LONGEST (1ull << 30)

struct one_shot_device {
    uint64_t (*arm)(uint64_t counts); /* begin a one-shot; returns the clock at its end */
    bool (*is_counting)(void);    /* it has not ended yet */
    void (*quiet)(void);          /* it interrupts no more until it is armed */
};

struct one_shot_tick {
    const char *name;        /* "the local APIC's timer" */
    uint64_t factor;         /* clock units in a count, 40.24; set once, as the next two */
    uint64_t counts_q32;     /* counts in a clock unit, 32.32 */
    struct one_shot_way to;
    uint64_t slack;          /* clock units by which a tick may seem early */
    /* of a one-shot over which the clock's error makes no tick late, clock units; 0: it has none */
    uint64_t longest;
    uint32_t hz;             /* counts a second */
    uint64_t due;            /* clock units; ISR only, as the next */
    /* clock units: when the tick is due, of which this one-shot is a piece; 0: it is all of it */
    uint64_t target;
    uint64_t early;          /* interrupts that came before their time */
    volatile uint64_t fired; /* clock at the entry of a shot that was measured; 0: it has not come */
    bool running;            /* interrupts off, as the next */
    struct probe *owner;     /* whose ticks they are */
};

#define ONE_SHOT_INLINE static inline __attribute__((always_inline))

ONE_SHOT_INLINE uint64_t one_shot_tick_clocks(const struct one_shot_tick *t, uint64_t counts)
{
    return counts * t->factor >> ONE_SHOT_FACTOR;
}

/* For struct one_shot_timer. */
ONE_SHOT_INLINE uint64_t one_shot_tick_arm_once(struct one_shot_tick *t, const struct one_shot_device *d,
                                                uint32_t counts)
{
    t->fired = 0;
    return d->arm(counts) - one_shot_tick_clocks(t, counts);
}

/* Arm for `time`, or for a piece of the way there. */
ONE_SHOT_INLINE void one_shot_tick_arm_for(struct one_shot_tick *t, const struct one_shot_device *d, uint64_t time)
{
    const uint64_t now = rdtsc();
    bool piece;
    uint64_t counts = one_shot_way_to(&t->to, time, now, t->owner->exit, &piece) * t->counts_q32 >> 32;

    counts += counts == 0;
    t->target = piece ? time : 0;
    t->due = d->arm(counts);
    one_shot_way_began(&t->to, now, t->due - one_shot_tick_clocks(t, counts));
    if ((int64_t)(time - now) < 0) /* behind a piece that ended in a section with interrupts off */
        t->due = time;
}

/* Arm for what the probe returned: a time, or an interval in counts, which begins with the arming. */
ONE_SHOT_INLINE void one_shot_tick_arm(struct one_shot_tick *t, const struct one_shot_device *d, uint64_t next)
{
    if (t->owner->relative)
        next = rdtsc() + one_shot_tick_clocks(t, next) + t->to.lag;
    one_shot_tick_arm_for(t, d, next);
}

ONE_SHOT_INLINE void one_shot_tick_quiet(struct one_shot_tick *t, const struct one_shot_device *d)
{
    t->running = false;
    d->quiet();
}

ONE_SHOT_INLINE void one_shot_tick_begin(struct one_shot_tick *t, const struct one_shot_device *d, struct probe *p,
                                         uint64_t first)
{
    t->owner = p;
    t->running = true;
    one_shot_tick_arm(t, d, first);
}

/*
 * Early by the TSC, and the timer still counts.  The TSC alone would not do: where a timer counts by itself, an NMI
 * or SMI between the arming and the reading that `due` is computed from makes `due` too late, and a
 * timer that has ended interrupts no more.
 */
ONE_SHOT_INLINE bool one_shot_tick_is_early(const struct one_shot_tick *t, const struct one_shot_device *d,
                                            uint64_t lateness)
{
    return (int64_t)lateness < -(int64_t)t->slack && d->is_counting();
}

/* A piece of the way is over: no tick.  The handler's time goes to MONITOR. */
static __attribute__((noinline)) void one_shot_tick_end_piece(struct one_shot_tick *t,
                                                              const struct one_shot_device *d, uint64_t now,
                                                              uint64_t lateness)
{
    const struct probe_event e = { .sample.time = now, .lateness = lateness, .halted = current->id == ROW_IDLE };
    uint64_t *const cell = account.cell;

    tick_enter(t->owner, &e, account_on);
    lapic_eoi();
    one_shot_tick_arm_for(t, d, t->target);
    account_tick_exit(cell);
}

/* The handler of its interrupt, which ends at the local APIC.  Interrupt context. */
ONE_SHOT_INLINE void one_shot_tick_interrupt(struct one_shot_tick *t, const struct one_shot_device *d,
                                             const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    uint64_t lateness = now - t->due, next;

    if (!t->running || one_shot_tick_is_early(t, d, lateness)) {
        t->early += t->running;
        t->fired = now;
        lapic_eoi();
        return;
    }
    if ((int64_t)lateness < 0)
        lateness = 0;
    if (t->target != 0) {
        one_shot_tick_end_piece(t, d, now, lateness);
        return;
    }
    next = tick_record(t->owner, f, now, lateness);
    lapic_eoi();
    if (next != 0)
        one_shot_tick_arm(t, d, next);
    else
        one_shot_tick_quiet(t, d);
    account_tick_exit(cell);
}

/* Set what follows from `factor`, with `longest`: 0: the timer's clock is the TSC.  The start. */
void one_shot_tick_set_factor(struct one_shot_tick *t);

/*
 * Measure the latencies of its interrupt, out of running code and out of HLT, and what follows for `slack`.  `factor`
 * is set.  False where a shot is lost, with *why.  The start; interrupts off, and on meanwhile.
 */
bool one_shot_tick_measure(struct one_shot_tick *t, struct one_shot_timer *shots, struct source_facts *f,
                           struct refusal *why);

/*
 * For set_rate(): the mean interval; false where the timer, which counts to `most`, or its latency does not allow it.
 * The start, and task PROBE.
 */
bool one_shot_tick_set_rate(const struct one_shot_tick *t, struct source_facts *f, uint32_t rate, uint64_t most,
                            struct refusal *why);

/* For report(): `expected` interrupts before their time are the device's way.  Task PROBE. */
void one_shot_tick_report(const struct one_shot_tick *t, uint64_t expected);
