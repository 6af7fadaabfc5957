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
