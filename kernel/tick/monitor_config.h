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
struct monitoring {
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
const char *monitors_fit(struct monitoring *m, const struct words *w);

/* Give each region the row of its task: NULL, or why not, likewise.  Once the tasks are made. */
const char *monitors_find_tasks(struct monitoring *m, const struct words *w);

/* Put them into force.  While no tick can come. */
void monitors_put(const struct monitoring *m);

/* Say it where raw samples are thinned. */
void monitors_tell(const struct monitoring *m);

/*
 * Measure what a sample costs each monitor.  Once, at the start, before any is in
 * force.  And what these monitors cost a tick by that, clock units.
 */
void monitors_measure(void);
uint64_t monitors_clocks(const struct monitoring *m);

/* In force: two of 2 * this many ticks are told as raw samples; 1: all are. */
uint32_t monitors_thin(void);

/*
 * The task that is called so, whatever the case of letters; NULL where there is
 * none.  Task context.
 */
const struct task *monitors_task(const char *name);

#endif
