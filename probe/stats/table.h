/* SPDX-License-Identifier: MIT */
/*
 * The table of Crowe's Figure 3 from a snapshot, for the serial line and for
 * the host: the same counters give the same digits in both.  Task and host
 * context: floating point.
 */
#ifndef PROBE_STATS_TABLE_H
#define PROBE_STATS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/confidence.h"
#include "probe/stats/snapshot.h"

struct table_options {
    struct estimator estimator;
    uint64_t excess_per_tick; /* mean interval T, clock units, 0: not known */
    uint64_t clock_hz;        /* of the clock units; 0: not known */
    uint64_t stub;            /* entry to reading of the TSC, clock units; 0: not known */
    bool unmasked;            /* ticks came that nothing masks: truths are all time */
    bool wald;                /* the paper's formula, so named */
    bool exact;               /* the truth and the error beside each total */
    bool cells;               /* an interval on each cell, not on totals alone */
    bool brief;               /* nobody asks for the 99.9 % limits, nor, unless `cells`, for a cell's */
};

/* One share: percent of samples, its interval, and the truth. Percent, 0 .. 100. */
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
 * The rows that late samples stand in, as a sentence goes on: "row MASKED" and so on.
 * `unmasked`: nothing masks a tick.  Where the system monitor did not run, by that alone.
 */
const char *table_late_rows(const struct snapshot *s, bool unmasked);

/* Ticks missed because late ones put the schedule off: a real number; NaN if T is not known. */
double table_missed_masked(const struct snapshot *s, const struct table_options *o);

/* The figures of one row; any row of s.  For MASKED the truth is all masked time. */
struct table_row table_row(const struct snapshot *s, const struct snapshot_row *row,
                           const struct table_options *o);

/* The figures of the last line: each mode over all rows that have modes. */
struct table_row table_total(const struct snapshot *s, const struct table_options *o);

/* A time as percent of tau; NaN where the exact half was not measured. */
double table_percent_of_tau(const struct snapshot *s, double time);

/*
 * What the exact shares may be off by all together, percent of tau (docs/ACCOUNTING.md,
 * "The exact table"); NaN where they or the length of a stub were not measured.
 */
double table_resolution(const struct snapshot *s, const struct table_options *o);

/* Order the rows for display: by name, rows that are no task last. */
void table_sort(struct snapshot *s);

/* Print the whole table, line by line (without line ends), through `line`. */
void table_print(const struct snapshot *s, const struct table_options *o,
                 void (*line)(void *context, const char *text), void *context);

#endif
