/* SPDX-License-Identifier: MIT */
/*
 * How precise the totals of a run's tasks are, and whether that is enough to end the
 * run (precision=; docs/ACCOUNTING.md, "Precision").  Task and host context: floating
 * point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "probe/stats/snapshot.h"

/* A run does not end with fewer samples, or with fewer total_changes in the widest row. */
#define PRECISION_SAMPLES 1000u
#define PRECISION_CHANGES 30u

struct precision {
    const struct snapshot_row *row; /* the one with the widest interval; NULL: no interval */
    double half;                    /* half the width of its 95 % interval, points */
};

/*
 * Find the widest interval of the totals of tasks, IDLE included.  Only intervals of
 * the run's own policy count, never Wald's: if `e` has a reason, there is none.
 */
struct precision precision_of(const struct snapshot *s, const struct estimator *e);

/* Whether the run may end: `half` is at most `thousandths` of a point. */
bool precision_reached(const struct snapshot *s, const struct precision *p,
                       uint64_t thousandths);
