/* SPDX-License-Identifier: MIT */
/*
 * One tick source: what interrupts, and how its next interrupt is had.  Each
 * source is one file (source_*.c) that fills one struct source, and one row of
 * sources[] in source.c.  Sources know neither each other nor the policy.
 */
#ifndef KERNEL_SOURCE_SOURCE_H
#define KERNEL_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/irq.h"
#include "kernel/source/calibrate.h"
#include "probe/core/probe.h"

/* What a source is like: found and measured at the start, but for the mean, which is of a rate. */
struct source_facts {
    uint64_t hz_milli;    /* of what its intervals are counted in, mHz */
    uint64_t clock_65536; /* clock units in 65536 counts */
    uint64_t mean;        /* mean interval T, counts, 48.16 */
    const char *note;     /* what else was found, for the machine's health; NULL: nothing */
    struct probe_lateness running, halted; /* as calibrate() found them, or the source's own */
};

/* Ticks that the device's own jitter, clock units, makes late are in time.  In detect(). */
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

/* What is asked of a source that was found. */
struct source_request {
    uint32_t rate;    /* Hz */
    bool given;       /* somebody asked for this rate */
    uint64_t handler; /* what a tick's handler takes, clock units */
};

#define SOURCE_NO_VECTOR 256u /* its device is another's as yet */

struct source {
    const char *name, *what; /* as tick= has it; for a table */
    bool variable; /* each interval is set anew; else it repeats one: interval=fixed alone */
    bool explicit_only; /* tick=auto never takes it */
    bool precalibrated; /* calibrate() has measured what it needs: to look for it costs nothing */
    unsigned vector; /* the interrupt that its ticks come by; 0: the system clock's, which goes on to it */
    bool rearmed; /* it repeats one interval, from its handler on: a late tick puts the next one off */
    /* The rate where rate= was not given, Hz; NULL: that of the word. */
    uint32_t (*default_rate)(void);
    /*
     * Look for the device and measure it, at `rate` Hz where that matters.  NULL, or
     * why it cannot serve, with what was measured: a sentence without its full stop.
     * Once for each delivery (probe.via_nmi), before anything runs, clocks measured,
     * interrupts off; it is tick_source meanwhile, so that its interrupts come to it,
     * and `f` has the machine's latencies.
     */
    const char *(*detect)(struct source_facts *f, const struct calibration *c, uint32_t rate);
    /*
     * Once it is found: the mean of this rate into `f`.  NULL, or why it cannot be had.
     * The device may be ticking, and neither it nor what its handler uses is touched.
     * The start, and task PROBE.
     */
    const char *(*set_rate)(struct source_facts *f, const struct source_request *r);
    /*
     * Tick for `p` as `f` has it, the first interval in counts; and no more, nothing on
     * its way, its interrupt masked.  Interrupts off; stop() may let them in.
     */
    void (*start)(struct probe *p, const struct source_facts *f, uint64_t first);
    void (*stop)(void);
    /*
     * Its interrupt, `now` the clock at its entry, changes of cell settled.
     * NULL: it comes by the NMI's entry alone.  Interrupt context.
     */
    irq_tick_handler *interrupt;
    /* What is to be done at each tick of the system clock; NULL: nothing.  Interrupt context. */
    void (*poll)(uint64_t now);
    /* What is to be said of its ticks at the end of a run; NULL: nothing.  Task PROBE. */
    void (*report)(void);
};

/*
 * NULL, or why a source that repeats one interval, f->mean, cannot: the handler would
 * take more than half of the time.  `cure`: what to ask for.  For set_rate().
 */
const char *source_check_load(const struct source_facts *f, const struct source_request *r, const char *cure);

/*
 * By name; NULL where there is none.  By index, all of them, and those that can
 * come as NMI (what detect() does where probe.via_nmi); NULL past the last.  Any context.
 */
const struct source *source_named(const char *name);
const struct source *source_at(unsigned index);
const struct source *source_nmi_at(unsigned index);
static inline const struct source *source_by_delivery(unsigned index, bool via_nmi)
{
    return via_nmi ? source_nmi_at(index) : source_at(index);
}

extern const struct source source_pit, source_pit_periodic, source_lapic, source_rtc, source_clock;
extern const struct source source_pit_nmi; /* tick=pit where delivery=nmi */
extern struct source source_slu, source_slu_timeout; /* the vector is that of the port, once found */

#endif
