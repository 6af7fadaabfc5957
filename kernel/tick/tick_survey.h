/* SPDX-License-Identifier: MIT */
/*
 * What was found of this machine's ticks at the start: what ticks are like by each
 * delivery, and each source.  A source is measured with interrupts held by it alone,
 * for some hundredths of a second; so that is done before anything runs, and what
 * was not looked for then cannot be had later.
 */
#ifndef KERNEL_TICK_TICK_SURVEY_H
#define KERNEL_TICK_TICK_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/source/source.h"

/* Ticks by one delivery. */
struct delivery {
    const char *why;                /* NULL: it can be had */
    struct calibration calibration; /* its latencies are this delivery's */
    struct handler_cost cost;       /* of the PIT's handler; `minimum` is unused */
    uint64_t monitors;              /* what of that is the monitors', clock units */
};

/* A source by one delivery. */
struct source_survey {
    const char *why;           /* NULL: it serves */
    struct source_facts facts; /* but for the mean */
    struct handler_cost cost;  /* as in struct delivery; handler 0: that of the PIT stands for it */
};

/*
 * Measure the ticks of one delivery, and put it into force: those that can be masked
 * first, where both are measured.  `c`: what calibrate() found; `m`: the monitors
 * that are in force, NULL: there will be no ticks.  Interrupts off, before anything runs.
 */
void survey_measure_delivery(bool via_nmi, const struct calibration *c, const struct monitor_plan *m);

/* Where `why` is set: not measured, or with what arrived.  Any context. */
const struct delivery *survey_delivery(bool via_nmi);

/*
 * Have ticks delivered so from here on; where not as NMI, an NMI is only counted.
 * While no tick can come.
 */
void survey_set_delivery(bool via_nmi);

/*
 * Look for a source by the delivery that is in force, at `rate` Hz where that
 * matters.  Nothing where that was done, or once survey_close() was called.
 */
void survey_detect(const struct source *s, uint32_t rate);

/*
 * Look for the others too: for those that take no time, or for all that may be
 * taken over, by every delivery that was measured.  The delivery is then as before.
 */
void survey_detect_all(bool all);

/* From here on things run: what was not looked for is not found. */
void survey_close(void);

/* What was found by this delivery; where it was not looked for, why not.  Any context. */
const struct source_survey *survey_source(const struct source *s, bool via_nmi);

#endif
