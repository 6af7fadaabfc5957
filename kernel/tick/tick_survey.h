/* SPDX-License-Identifier: MIT */
/*
 * The survey of this machine's ticks at the start: the costs and latencies by each delivery, and
 * each source.  While a source is measured, for some hundredths of a second, no other interrupt
 * may come.  So the survey is made before tasks run, and a source that was not detected then
 * cannot be used later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/source/source.h"

/* One delivery: IRQ or NMI. */
struct delivery {
    struct refusal why;             /* why it cannot be used; reason NULL: it can */
    struct calibration calibration; /* its latencies are this delivery's */
    struct handler_cost cost;       /* of the PIT's handler; `minimum` is unused */
    uint64_t monitors;              /* the part of it that the monitors take, clock units */
    uint64_t usual_lead;            /* cost.lead of a usual tick, whatever the monitors; 0: not measured */
};

/* One source by one delivery. */
struct source_survey {
    struct refusal why;        /* why it cannot be used; reason NULL: it can */
    struct source_facts facts; /* but for the mean */
    struct handler_cost cost;  /* as in struct delivery; handler 0, or tick 0: that of the PIT stands for it */
};

/*
 * Measure one delivery and put it into force.  IRQ comes first where both are measured.  `c`: the
 * calibration of IRQ; `m`: the monitors in force, NULL where there will be no ticks.  Interrupts
 * off, before tasks run.
 */
void survey_measure_delivery(bool via_nmi, const struct calibration *c, const struct monitor_plan *m);

/* The result.  Any context. */
const struct delivery *survey_delivery(bool via_nmi);

/*
 * Deliver ticks by IRQ or NMI from here on.  By IRQ, an NMI is counted as a stray.  While no
 * tick can come.
 */
void survey_set_delivery(bool via_nmi);

/*
 * Detect and measure a source by the delivery in force, at `rate` Hz where that matters.  Does
 * nothing where that was done before, or after survey_close().  The start, interrupts off.
 */
void survey_detect(enum config_tick tick, uint32_t rate);

/*
 * Detect the other sources too, by every delivery that was measured: all of them, or only those
 * that take no time.  The delivery in force is then as before.  The start, interrupts off.
 */
void survey_detect_all(bool all);

/* Tasks run from here on: nothing is detected any more. */
void survey_close(void);

/* The result for a source by this delivery, which has it.  The start, and task PROBE. */
const struct source_survey *survey_source(enum config_tick tick, bool via_nmi);
