/* SPDX-License-Identifier: MIT */
/*
 * From the words of a run and its measured intervals to the estimator that its
 * policy allows (docs/ACCOUNTING.md, "The schedule").  Task and host context.
 */
#ifndef PROBE_STATS_ESTIMATOR_H
#define PROBE_STATS_ESTIMATOR_H

#include <stdint.h>

#include "probe/config/config.h"
#include "probe/stats/confidence.h"

/* `mean` in counts, 48.16, and `minimum` in counts, as HELLO has them. */
struct estimator estimator_of_run(const struct config *words, uint64_t mean,
                                  uint32_t minimum);

#endif
