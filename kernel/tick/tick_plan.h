/* SPDX-License-Identifier: MIT */
/*
 * From a configuration to a tick plan: the source, policy and schedule that serve it on this
 * machine, or the reason why there is none.  Used at the start and for each change of the
 * configuration while the image runs.
 */
#pragma once

#include <stdint.h>

#include "kernel/account/exact_time.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source.h"
#include "kernel/tick/monitor_config.h"
#include "probe/config/config.h"
#include "probe/schedule/schedule.h"

struct tick_plan {
    struct config config; /* as it will be in force: rate= and interval= as the source has them */
    struct monitor_plan monitors; /* of this configuration */
    uint64_t seed;       /* not 0 */
    uint64_t interval;   /* interval= as given: for a source that repeats one interval it becomes fixed */
    const struct source *source;
    struct refusal no_source; /* why the last one that was tried does not serve */
    struct source_facts facts;
    struct handler_cost cost; /* with these monitors */
    struct schedule schedule;
    bool relative;       /* ticks have no points: a periodic device, arm=relative, or a TSC that stops in HLT */
    /* binary logarithm of the schedule's unit, clock units; 0 where that is the source's count */
    unsigned shift;
};

/*
 * Fill in all but configuration and seed, from the survey of the sources (kernel/tick/tick_survey.h); a source that
 * was not surveyed is detected now, at the start.  False where it cannot be had; the reason points into `a`.  What is
 * in force stays.  The start, interrupts off, and task PROBE.
 */
bool tick_plan_make(struct tick_plan *a, struct refusal *why);

/*
 * Plan the second source that the words of `first` ask for (tick=A,B), as tick_plan_make().  tick_plan_apply() puts
 * both into force.
 */
bool tick_plan_second(const struct tick_plan *first, struct refusal *why);

/*
 * Put a plan into force: delivery, sources, monitors, the probe's schedule, and the facts that
 * tables print.  While no tick can come, interrupts off.
 */
void tick_plan_apply(const struct tick_plan *a);

/* Print a warning where ticks take more than 10 % of the time, and a note of what stack= costs, where it is on. */
void tick_plan_report(const struct tick_plan *a);

/* Hand a plan to a probe: latencies and schedule.  While no tick can come. */
void tick_plan_set_probe(const struct tick_plan *a, struct probe *p);

/* interval= as it was asked for: a source that repeats one interval has fixed in force.  Task PROBE. */
uint64_t tick_plan_interval_asked(void);

/* A task has the RTC for itself: no source can have it from now on.  The start. */
void tick_plan_reserve_rtc(void);

/* Where rate= was not given, use the default rate of a source that has one and is not in force already. */
void tick_plan_default_rate(struct config *w, const struct source *s);

/*
 * From the configuration to a tick source in force.  Both functions run once, during the
 * start of the image, with interrupts off and for a while on; what cannot be done ends
 * the image with an error.
 */

/* Measure the clocks, latencies, the costs of entries with this account, and the stream's interrupt. */
void tick_start_measure(struct tick_facts *f, enum account_kind kind);

/* Measure the handler of a tick, choose the source, and put it into force. */
void tick_start_plan(struct tick_facts *f);

/*
 * Two sources at the same time (tick=A,B): a wrapper around each, which notes for the other
 * sampler's probe how long its handler held interrupts off.
 */

/*
 * Wrap a source as the first (0) or the second (1) of two.  Its interrupts then come through
 * the common entry.  Interrupts off, while no tick can come.
 */
const struct source *dual_source_wrap(unsigned number, const struct source *s);

/* Measure how long the exit of a wrapped tick takes.  Once, before the first is wrapped, interrupts off. */
void dual_source_measure(void);
