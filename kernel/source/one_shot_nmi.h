/* SPDX-License-Identifier: MIT */
/* The latency of one-shots that come as NMI. */
#pragma once

#include "kernel/measure/one_shot.h"

/*
 * Out of running code and out of HLT, a line open (kernel/source/nmi.h); halted->late is UINT64_MAX.  Warns where
 * NMIs that nobody asked for may have made both too long.  one_shot_check() says whether a shot was lost.
 * The start, interrupts off.
 */
void one_shot_nmi_lateness(struct one_shot_timer *t, struct probe_lateness *running, struct probe_lateness *halted);
