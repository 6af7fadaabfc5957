/* SPDX-License-Identifier: MIT */
/*
 * The estimator that the policy of a run allows, from the run's configuration words
 * and measured intervals (docs/ACCOUNTING.md, "The schedule").  Task and host context.
 */
#pragma once

#include <stdint.h>

#include "probe/config/config.h"
#include "probe/estimate/confidence.h"

/* `mean` is in counts, 48.16, and `minimum` in counts, as in HELLO. */
struct estimator estimator_of_run(const struct config *words, uint64_t mean,
                                  uint32_t minimum);

/*
 * The estimator of raw samples of which two in each 2 * factor are told (probe/stream/decimate.h), from that of all
 * ticks.  factor: 0 or 1 returns `whole`.
 */
struct estimator estimator_of_thinned(struct estimator whole, uint64_t factor);
