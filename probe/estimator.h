/* SPDX-License-Identifier: MIT */
/*
 * From the words of a run and its measured intervals to the estimator that its
 * policy allows (docs/ACCOUNTING.md, "The schedule").  Task and host context.
 */
#ifndef PROBE_ESTIMATOR_H
#define PROBE_ESTIMATOR_H

#include <stdint.h>

#include "probe/interval.h"
#include "probe/words.h"

/* `mean` in counts, 48.16, and `minimum` in counts, as HELLO has them. */
struct estimator estimator_of_run(const struct words *words, uint64_t mean,
                                  uint32_t minimum);

#endif
