/* SPDX-License-Identifier: MIT */
/*
 * A change of the configuration while the image runs: it is checked whole, and refused or put into force whole.
 * The words of the tick, of the monitors, of the length of the run and of what is put out can change.  Each
 * change ends the epoch.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/tick/tick_plan.h"

/* A change that was checked and can be put into force. */
struct reconfiguration {
    struct tick_plan plan;
    bool seconds; /* the run has a new length, from the change on */
};

/*
 * Check a configuration that shall be in force, and plan it; `given` has the words that somebody named for it.
 * False with the reason, and nothing has changed.  The first takes a seed, not 0, and the same words again; the
 * second refuses what is in force already.  Task PROBE.
 */
bool reconfigure_check(struct reconfiguration *r, const struct config *wanted, uint64_t seed, struct refusal *why);
bool reconfigure_to(struct reconfiguration *r, const struct config *wanted, struct refusal *why);

/* The seed after the one in force, not 0: no two windows of a boot are sampled alike.  Task PROBE. */
uint64_t reconfigure_next_seed(void);

/*
 * Put it into force; only the first tick of the source remains to be started.  While no tick can come: the source
 * in force stopped, interrupts off.  For kernel/report/run.c, which ends one epoch before and begins another after.
 */
void reconfigure_apply(const struct reconfiguration *r);
