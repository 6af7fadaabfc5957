/* SPDX-License-Identifier: MIT */
/*
 * The table of Crowe's Figure 3 from a snapshot, for the serial line and for
 * the host: the same counters give the same digits on both.  Task and host
 * context: floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "probe/stats/snapshot.h"
#include "probe/text/text_buf.h"

struct table_options {
    struct estimator estimator;
    uint64_t excess_per_tick; /* mean interval T, clock units, 0: not known */
    uint64_t clock_hz;        /* of the clock units; 0: not known */
    uint64_t stub;            /* entry to reading of the TSC, clock units; 0: not known */
    uint64_t tick;            /* what a tick takes, clock units; 0: not known */
    uint64_t tick_share;      /* what ticks take of the time, thousandths of a percent */
    const char *no_exact;     /* why no exact times came, where that is not account=off; NULL: it is */
    bool unmasked;            /* nothing masks the ticks: exact shares include masked time */
    bool wald;                /* the paper's formula, named as such */
    bool exact;               /* print the exact share and the error beside each total */
    bool cells;               /* print an interval for each cell, not only for totals */
    uint32_t top;             /* print this many tasks, and how many more there are; 0: all */
    bool brief;               /* leave out 99.9 % limits and, unless `cells`, the limits of cells */
};

/* One share: percent of samples, its interval, and the exact share.  Percent, 0 .. 100. */
struct table_cell {
    uint64_t hits;
    double percent;
    double low, high;       /* 95 %; NaN where no interval can be given */
    double low999, high999; /* the same at 99.9 % */
    double exact;     /* percent of tau; NaN where not measured */
};

struct table_row {
    const struct snapshot_row *row; /* NULL: the row Total of each mode */
    struct table_cell cell[MODES], total;
    bool modes; /* the row has cells; false for MASKED, LOST and STOLEN */
};

/*
 * The rows that hold late samples, to continue a sentence: "row MASKED" and so on.
 * `unmasked`: nothing masks a tick; this alone decides if the system monitor did not run.
 */
const char *table_late_rows(const struct snapshot *s, bool unmasked);

/* Ticks missed because late ones delayed the schedule: a real number; NaN if T is not known. */
double table_missed_masked(const struct snapshot *s, const struct table_options *o);

/*
 * By how many percentage points at most a share is off because fewer points fall into handlers than those have of the
 * time (docs/ACCOUNTING.md, "What points in clock time leave"); 0 of exponential intervals; NaN where there are no
 * points or that time is not known.
 */
double table_handler_bias(const struct snapshot *s, const struct table_options *o);
#define TABLE_BIAS_TOLD 0.05 /* of it: what is less is not told */

/* The estimator of the shares of `s`: that of `o`, with room for what points in handlers move them by. */
struct estimator table_estimator(const struct snapshot *s, const struct table_options *o);

/* The figures of any row of `s`.  The exact share of MASKED is that of all masked time. */
struct table_row table_row(const struct snapshot *s, const struct snapshot_row *row,
                           const struct table_options *o);

/* The figures of the last line: the sum of each mode over all rows that have modes. */
struct table_row table_total(const struct snapshot *s, const struct table_options *o);

/* A time as percent of tau; NaN where the exact half was not measured. */
double table_percent_of_tau(const struct snapshot *s, double time);

/*
 * The largest possible sum of the errors of the exact shares, percent of tau
 * (docs/ACCOUNTING.md, "The exact table"); NaN if they or the length of a stub were not
 * measured.
 */
double table_resolution(const struct snapshot *s, const struct table_options *o);

/* The sampled share of a row less its exact share, percentage points; NaN where one is not known. */
double table_error(const struct snapshot *s, const struct snapshot_row *row, const struct table_options *o);

/* Print the whole table, line by line (without line ends), through `line`. */
void table_print(const struct snapshot *s, const struct table_options *o,
                 void (*line)(void *context, const char *text), void *context);

#define TABLE_LIMITS_WIDE 14 /* columns of "  40.72-41.60 " */

/*
 * For tables that are drawn again and again: append a percentage in `width` columns, "n.a." where it is not `known`,
 * and, with `limits`, its 95 % interval in TABLE_LIMITS_WIDE columns, "n.a." where it has none.
 */
void table_cell_put(struct text_buf *b, const struct table_cell *cell, bool known, unsigned width, bool limits);
