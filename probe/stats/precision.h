/* SPDX-License-Identifier: MIT */
/*
 * How well a run knows the totals of its tasks, and whether that is enough to
 * end it (precision=; docs/ACCOUNTING.md, "Precision").  Task and host context:
 * floating point.
 */
#ifndef PROBE_STATS_PRECISION_H
#define PROBE_STATS_PRECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/estimator.h"
#include "probe/stats/snapshot.h"

/* Fewer samples, or fewer pairs that tell the ruling row apart, end no run. */
#define PRECISION_SAMPLES 1000u
#define PRECISION_CHANGES 30u

struct precision {
    const struct snapshot_row *row; /* that rules: its total is known worst; NULL: no interval */
    double half;                    /* half the width of its 95 % interval, points */
};

/*
 * Of the totals of tasks, IDLE among them, the one with the widest interval.
 * Only intervals of the run's own policy, never Wald's: where `e` has a reason
 * there is none.
 */
struct precision precision_of(const struct snapshot *s, const struct estimator *e);

/* Whether the run may end here, asked for `thousandths` of a point. */
bool precision_reached(const struct snapshot *s, const struct precision *p,
                       uint64_t thousandths);

#endif
