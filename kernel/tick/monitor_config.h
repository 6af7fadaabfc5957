/* SPDX-License-Identifier: MIT */
/* From the words monitor= and region= to the monitors of the probe. */
#ifndef KERNEL_TICK_MONITOR_CONFIG_H
#define KERNEL_TICK_MONITOR_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/core/probe.h"

struct task;

/* The monitors that words ask for. */
struct monitor_plan {
    uint32_t monitors; /* enum probe_monitor, or-ed */
    uint32_t thin;     /* two of 2 * this many ticks are told as raw samples; 1: all are */
    uint32_t regions;
    struct region_request watched[REGIONS_MAX];
};

/*
 * Whether the line carries them; rate= is the tick's.  NULL, or why not: a sentence
 * without its full stop, kept until the next.  The regions are nobody's as yet.  The
 * start, and task PROBE.
 */
const char *monitors_plan(struct monitor_plan *m, const struct config *w);

/* Give each region the row of its task: NULL, or why not, likewise.  Once the tasks are made. */
const char *monitors_resolve_tasks(struct monitor_plan *m, const struct config *w);

/* Put them into force.  While no tick can come. */
void monitors_apply(const struct monitor_plan *m);

/* Say it where raw samples are thinned. */
void monitors_report(const struct monitor_plan *m);

/*
 * Measure what a sample costs each monitor.  Once, at the start, before any is in
 * force.  And what these monitors cost a tick by that, clock units.
 */
void monitors_measure_cost(void);
uint64_t monitors_cost(const struct monitor_plan *m);

/* In force: two of 2 * this many ticks are told as raw samples; 1: all are. */
uint32_t monitors_thin(void);

/*
 * The task that is called so, whatever the case of letters; NULL where there is
 * none.  Task context.
 */
const struct task *monitors_find_task(const char *name);

#endif
