/* SPDX-License-Identifier: MIT */
/* What the handler of a tick costs, measured once at the start by real ticks. */
#pragma once

#include "kernel/source/sampler.h"
#include "kernel/source/source.h"

/*
 * Of the PIT by the delivery in force.  False where the ticks stopped.  The start, the
 * monitors in force; interrupts on meanwhile.
 */
bool handler_cost_of_pit(struct handler_cost *cost, struct refusal *why);

/*
 * Of tick_source, another one-shot, that was detected as `f`: its entry, its arming and
 * its clock are not the PIT's.  Likewise.
 */
bool handler_cost_of_source(struct handler_cost *cost, const struct source_facts *f, struct refusal *why);

/*
 * What each of up to `room` ticks of tick_source takes of the code that it interrupts, clock units, into `took`.
 * Returns their number: 0 of a source that repeats one interval, or where the ticks stopped.  The schedule in force
 * stays.  After tick_plan_apply(), before the first window; interrupts off, and on meanwhile.
 */
unsigned handler_cost_series(uint64_t *took, unsigned room);

/* Only `tick`, of tick_source, which repeats one interval and has 1024 Hz among its rates.  Likewise. */
bool handler_cost_of_periodic(struct handler_cost *cost, const struct source_facts *f, struct refusal *why);
