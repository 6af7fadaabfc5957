/* SPDX-License-Identifier: MIT */
/*
 * Limits that few hits put on a share.  They are those of a Poisson count, and cover the share of independent samples
 * at least as often, because a binomial count varies less.  Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>

#include "probe/estimate/confidence.h"

/* Whether so few of the samples are hits that the normal distribution does not describe them. */
bool few_hits(double hits, double samples);

/*
 * The interval of the share hits/samples.  Call it only if few_hits(); neither number need be whole (effective
 * samples).  0 <= low <= estimate <= high <= 1.
 */
struct confidence few_hits_limits(double hits, double samples, enum level level);
