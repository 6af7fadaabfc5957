/* SPDX-License-Identifier: MIT */
/* Whether the ticks of a run have an interval that precision= could look at. */
#ifndef KERNEL_TICK_TICK_PRECISION_H
#define KERNEL_TICK_TICK_PRECISION_H

#include <stdint.h>

#include "probe/config/config.h"

/*
 * NULL, or why this run has no interval: a sentence without its full stop.  `mean` interval in counts of
 * the source, 48.16; `minimum` in counts.  Task PROBE, and the start.
 */
const char *tick_precision_refusal(const struct config *w, uint64_t mean, uint32_t minimum);

#endif
