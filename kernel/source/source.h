/* SPDX-License-Identifier: MIT */
/*
 * The interface of a tick source: the device whose interrupt is the tick, and how its next
 * interrupt is asked for.  Each source is one file (source_*.c) that fills one struct source,
 * and one row of sources[] in kernel/tick/sources.c.  Sources know neither each other nor the policy.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/irq.h"
#include "kernel/source/calibrate.h"
#include "probe/config/config.h"
#include "probe/core/probe.h"
#include "probe/text/refusal.h"

/* What was measured of a source at the start; the mean follows from a rate. */
struct source_facts {
    uint32_t rate;        /* Hz, that it is measured at where that matters; 0: none is asked for */
    uint64_t hz_milli;    /* rate of the counts that its intervals are made of, mHz */
    uint64_t clock_65536; /* clock units in 65536 counts */
    uint64_t mean;        /* mean interval T, counts, 48.16 */
    struct refusal note;  /* for the machine report, not a refusal but of the same form; reason NULL: none */
    struct probe_lateness running, halted; /* of the machine's interrupts, or the source's own */
};

/* A tick is not late by what the device itself jitters, clock units.  In detect(). */
static inline void source_allow_jitter(struct source_facts *f, uint64_t jitter)
{
    if (f->running.late < f->running.floor + 2 * jitter)
        f->running.late = f->running.floor + 2 * jitter;
    if (f->halted.late < f->halted.floor + 2 * jitter)
        f->halted.late = f->halted.floor + 2 * jitter;
}

/* The mean interval in clock units. */
static inline uint64_t source_period(const struct source_facts *f)
{
    return (f->clock_65536 * (f->mean >> 16) + (1u << 15)) >> 16;
}

/* What set_rate() is asked for. */
struct source_request {
    uint32_t rate;    /* Hz */
    bool given;       /* rate= was given: no other rate will do */
    uint64_t handler; /* cost of a tick's handler, clock units */
};

#define SOURCE_NO_VECTOR 256u /* its device is another's as yet */

struct source {
    const char *name, *what; /* the value of tick=; the description in tables */
    bool variable; /* each interval is set anew; else one interval repeats, and interval=fixed is the only policy */
    bool explicit_only; /* tick=auto never chooses it */
    bool precalibrated; /* calibration has measured it already: to detect it takes no time */
    unsigned vector; /* of its interrupt; 0: it shares that of the system clock; or SOURCE_NO_VECTOR */
    bool rearmed; /* one interval repeats, counted from the handler: a late tick delays the next one */
    /* The rate where rate= was not given, Hz; NULL: the default of the word. */
    uint32_t (*default_rate)(void);
    /*
     * Find the device and measure it.  False where it cannot serve.  Once for each delivery
     * (probe.via_nmi), clocks measured, before tasks run; interrupts off.  The source is in
     * force meanwhile, so that its interrupts come to it, and `f` has the rate that is asked
     * for and the latencies of the machine.
     */
    bool (*detect)(struct source_facts *f, const struct calibration *c, struct refusal *why);
    /*
     * Put the mean interval of a rate into `f`, once the source is detected.  False where it
     * has no such rate.  The device may be ticking: neither it nor the state of its handler
     * is touched.  The start, and task PROBE.
     */
    bool (*set_rate)(struct source_facts *f, const struct source_request *r, struct refusal *why);
    /*
     * Tick for `p` by `f`, the first interval in counts.  stop(): tick no more; no
     * interrupt of it is pending afterwards, and its line is masked.  Interrupts off;
     * stop() may let them in.
     */
    void (*start)(struct probe *p, const struct source_facts *f, uint64_t first);
    void (*stop)(void);
    /*
     * Its interrupt, `now` the clock at its entry, a torn change of cell settled.
     * NULL: its ticks come as NMI only.  Interrupt context.
     */
    irq_tick_handler *interrupt;
    /* Called at each tick of the system clock, to find lost interrupts; or NULL.  Interrupt context. */
    void (*poll)(uint64_t now);
    /* Print what went wrong with its ticks, at the end of a run; or NULL.  Task PROBE. */
    void (*report)(void);
};

/*
 * For set_rate() of a source that repeats the interval f->mean: false where the handler
 * would take more than half of the time.  `cure`: what to ask for instead.
 */
bool source_check_load(const struct source_facts *f, const struct source_request *r, const char *cure,
                       struct refusal *why);

extern const struct source source_pit, source_pit_periodic, source_hpet, source_clock;
/* set in detect(): its handler and description are those of the deadline or of the counter */
extern struct source source_lapic;
extern const struct source source_pit_nmi, source_hpet_nmi; /* tick=pit and tick=hpet where delivery=nmi */
extern struct source source_rtc; /* the vector is that of the line, once found */
