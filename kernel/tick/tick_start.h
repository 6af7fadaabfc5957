/* SPDX-License-Identifier: MIT */
/*
 * From the configuration to a tick source in force.  Both functions run once, during the
 * start of the image, with interrupts off and for a while on; what cannot be done ends
 * the image with an error.
 */
#pragma once

#include "kernel/account/exact_time.h"
#include "kernel/source/sampler.h"

/* Measure the clocks, latencies, the costs of entries with this account, and the stream's interrupt. */
void tick_start_measure(struct tick_facts *f, enum account_kind kind);

/* Measure the handler of a tick, choose the source, and put it into force. */
void tick_start_plan(struct tick_facts *f);
