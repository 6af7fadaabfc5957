/* SPDX-License-Identifier: MIT */
/*
 * What one-shots tell of a tick's interrupt: the latency that each tick has, and the lateness above which
 * one was held up.
 */
#pragma once

#include "probe/core/probe.h"

#define LATENESS_SHOTS 48u /* that a judgement is made of */

/* Insert the n-th latency, clock units, n from 0, into those before it, which are sorted.  Any context. */
void lateness_insert(uint64_t sorted[LATENESS_SHOTS], unsigned n, uint64_t latency);

/*
 * Of all of them.  The floor is the smallest latency.  A tick counts as late above twice what seven of eight
 * shots kept to beyond the floor, and `grain`, what the clock can resolve.  Any context.
 */
struct probe_lateness lateness_judge(const uint64_t sorted[LATENESS_SHOTS], uint64_t grain);
