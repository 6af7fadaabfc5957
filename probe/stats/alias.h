/* SPDX-License-Identifier: MIT */
/*
 * The alias alarm: compares, cell by cell, two sources that sampled the same run.
 * Where they differ by more than their designs allow, one of them is synchronised
 * with what it measures (docs/ACCOUNTING.md, "Two sources side by side").  Task and
 * host context: floating point.
 */
#pragma once

#include <stdbool.h>

#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"

#define ALIAS_HITS   20  /* a cell is compared if one of the two has so many hits in it */
#define ALIAS_POINTS 0.2 /* smaller differences do not count, percentage points */
#define ALIAS_CHANCE 0.01 /* probability of any false alarm, over all cells */
#define ALIAS_KEPT   16  /* cells that are printed; all are counted */

/* One of the two sides: its table, and the options that give its intervals. */
struct alias_side {
    const char *source; /* its name */
    const struct snapshot *snapshot;
    const struct table_options *options;
};

struct alias_cell {
    const struct snapshot_row *row; /* gives the name of the task */
    enum mode mode;
    double percent[2], exact[2]; /* NaN: not measured */
    double z; /* of the difference first - second, less what handlers may move them by (table_handler_bias()) */
};

struct alias {
    unsigned compared, differ; /* cells */
    double limit;              /* for |z|, by Bonferroni's rule */
    double most;               /* largest |z| of all compared cells */
    unsigned cells;            /* number of kept cells, the largest |z| first */
    struct alias_cell cell[ALIAS_KEPT];
    bool wrong[2];             /* which sides are wrong, if cells differ; neither: unknown */
    bool measured;             /* `wrong` comes from the exact table; else it is a judgement */
};

/*
 * Compare the two sides, which are from one boot and about the same window.  `a` points
 * to rows of their snapshots.
 */
void alias_compare(struct alias *a, const struct alias_side *side);

/* Print the result, line by line (without line ends), through `line`. */
void alias_print(const struct alias *a, const struct alias_side *side,
                 void (*line)(void *context, const char *text), void *context);
