/* SPDX-License-Identifier: MIT */
/* From monitor=, region= and thin= to the monitors of the probe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/core/probe.h"

struct task;

/* The monitors of a configuration. */
struct monitor_plan {
    uint32_t monitors; /* enum probe_monitor, or-ed */
    uint32_t thin;     /* two of 2 * this many ticks are sent as raw samples; 1: all */
    uint32_t regions;
    struct region_request watched[REGIONS_MAX];
};

/*
 * Plan the monitors of these words.  False where the line cannot carry raw samples at rate=.  The regions belong to
 * no task yet.  The start, and task PROBE.
 */
bool monitors_plan(struct monitor_plan *m, const struct config *w, struct refusal *why);

/*
 * Find the task of each region; false where there is none of its name, or a monitor has not the task that it needs.
 * Once the tasks are made.
 */
bool monitors_resolve_tasks(struct monitor_plan *m, const struct config *w, struct refusal *why);

/* Put them into force.  While no tick can come. */
void monitors_apply(const struct monitor_plan *m);

/* Print a note where raw samples are thinned. */
void monitors_report(const struct monitor_plan *m);

/*
 * Measure the cost of a sample in each monitor.  Once, at the start, before any is in force.
 * monitors_cost(): what a tick costs with these monitors by that, clock units.
 */
void monitors_measure_cost(void);
uint64_t monitors_cost(const struct monitor_plan *m);

/* The thinning in force, as in struct monitor_plan.  Any context. */
uint32_t monitors_thin(void);

/* The task of this name, in upper or lower case; NULL: none.  Task context. */
const struct task *monitors_find_task(const char *name);
