/* SPDX-License-Identifier: MIT */
/* Whether a run has a confidence interval that precision= can wait for. */
#pragma once

#include <stdint.h>

#include "probe/config/config.h"

/*
 * NULL, or why a run has no confidence interval: a message without its full stop.  `mean`: the
 * mean tick interval, counts of the source, 48.16; `minimum`: the shortest one, counts.  Task
 * PROBE, and the start.
 */
const char *tick_precision_refusal(const struct config *w, uint64_t mean, uint32_t minimum);
