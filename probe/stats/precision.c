/* SPDX-License-Identifier: MIT */
/* The widest interval of a snapshot's totals, and the rule that ends a run when it is narrow enough. */
/* Uses vector registers: task context only. */
#include "probe/stats/precision.h"

#include <stddef.h>

#define POINTS     100.0
#define PER_POINT 1000.0

static double half_width(const struct snapshot *s, const struct snapshot_row *row,
                         const struct estimator *e)
{
    const uint64_t lost = snapshot_may_have_lost(s, row);
    const struct tally least = {row->total, s->samples, row->total_changes};
    const struct tally most = {row->total + lost, s->samples, row->total_changes + lost};
    const struct confidence i = confidence_of(e, &least, LEVEL_95);

    return ((lost ? confidence_of(e, &most, LEVEL_95) : i).high - i.low) / 2;
}

struct precision precision_of(const struct snapshot *s, const struct estimator *e)
{
    struct precision p = {NULL, 1};

    for (uint32_t r = 0; r < s->rows && !e->reason; r++) {
        double half;

        if (!row_has_modes(s->row[r].id))
            continue;
        half = half_width(s, &s->row[r], e);
        if (!p.row || half > p.half)
            p = (struct precision){&s->row[r], half};
    }
    p.half *= POINTS;
    return p;
}

bool precision_reached(const struct snapshot *s, const struct precision *p,
                       uint64_t thousandths)
{
    return p->row && s->samples >= PRECISION_SAMPLES &&
           p->row->total_changes >= PRECISION_CHANGES &&
           p->half * PER_POINT <= (double)thousandths;
}
