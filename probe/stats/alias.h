/* SPDX-License-Identifier: MIT */
/*
 * The alias alarm: two sources that sampled the same run, held against each other
 * cell by cell.  Where they differ by more than their designs allow, one of them
 * is in step with what it measures (docs/ACCOUNTING.md, "Two sources side by
 * side").  Task and host context: floating point.
 */
#ifndef PROBE_STATS_ALIAS_H
#define PROBE_STATS_ALIAS_H

#include <stdbool.h>

#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"

#define ALIAS_HITS   20  /* a cell is compared that has so many in one of the two */
#define ALIAS_POINTS 0.2 /* nearer than this no two cells differ */
#define ALIAS_CHANCE 0.01 /* of any false alarm, over all cells */
#define ALIAS_KEPT   16  /* cells that are told of; all are counted */

/* One of the two: its table, and what its policy makes known of it. */
struct alias_side {
    const char *source; /* its name */
    const struct snapshot *snapshot;
    const struct table_options *options;
};

struct alias_cell {
    const struct snapshot_row *row; /* whose name it has */
    enum mode mode;
    double percent[2], exact[2]; /* NaN: not measured */
    double z; /* first less second */
};

struct alias {
    unsigned compared, differ; /* cells */
    double limit;              /* of |z|, by Bonferroni's rule */
    double most;               /* largest |z| of all that were compared */
    unsigned cells;            /* kept, the largest |z| first */
    struct alias_cell cell[ALIAS_KEPT];
    bool wrong[2];             /* where cells differ: who is; neither: it cannot be told */
    bool measured;             /* it was told by the exact table; else it is a judgement */
};

/* Compare the two sides; the rows stay the snapshots'.  Both from one boot, about the same window. */
void alias_compare(struct alias *a, const struct alias_side *side);

/* Tell it, line by line (without line ends), through `line`. */
void alias_print(const struct alias *a, const struct alias_side *side,
                 void (*line)(void *context, const char *text), void *context);

#endif
