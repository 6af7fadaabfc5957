/* SPDX-License-Identifier: MIT */
/* Declares how reports of several monitors show what they found: as text, as JSON, as grids and pictures.  Host. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/analysis/breakdown.h"
#include "tools/base/report_object.h"

struct epoch;
struct code_files;
struct duration_histogram;
struct procstat_diff;
struct run_queue;
struct call_profile;
struct record_store;
struct time_grid;
struct timeline;
struct run_input;
struct share_diff;
struct tally;

/*
 * The load over time by the account log, whose counters are cumulative: of each task, or by the user event before it.
 */

/* From the begin of the window to the last moment of the log, clock units; false: the epoch has none. */
bool acct_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task used between two moments that tell of it evenly over that time: rows by id.  A
 * moment that did not arrive makes a longer stretch, and loses nothing.
 */
void acct_load_fill(struct time_grid *g, const struct epoch *e);

/* The same by user events: rows by their numbers; all tasks together are row GRID_OTHERS, beside row IDLE. */
void acct_load_fill_ranges(struct time_grid *g, const struct epoch *e);

/* The load over time of a run that tells neither states nor events: from the differences of its snapshots. */

/* From the begin of the first snapshot to the end of the last, clock units; false: the epoch has none. */
bool snapshot_load_limits(const struct epoch *e, int64_t *begin, int64_t *end);

/*
 * Spread what each task did between two snapshots evenly over that time: exact times, or, where none
 * were kept, the shares of the samples.
 */
void snapshot_load_fill(struct time_grid *g, struct timeline *t);

/* Declares time in the kernel by the instruction that called, as a table and as JSON. */

/* A member of the report of `stat`, and a report of `histogram`. */
extern const struct report_object callers_object, histogram_callers_object;

/*
 * Print the calls of a task, or of ROW_ANY, as text or as JSON: the three ways beside the truth.  False, with a
 * message on standard error, where the epoch has none.  `names`: of that task's program and the image.
 */
bool callers_print(const struct epoch *e, uint32_t task, const struct code_files *names, bool as_json);

/* Of all tasks; NULL where the epoch has no such record. */
json_t *callers_json(const struct epoch *e);

/* What `cpuprobe diff` found, as text or as JSON, schema cpuprobe-diff-1. */
struct diff_report {
    const struct run_input *side; /* two */
    const struct share_diff *diff;
    enum breakdown_by by;
    uint64_t min; /* rows with fewer hits in both runs are left out */
};

json_t *diff_json(const struct diff_report *r);
extern const struct report_object diff_object;

/* Print it.  Host. */
void diff_view_print(const struct diff_report *r, bool as_json);

/* Hits in percent of all samples; 0 where there are none. */
double diff_percent(const struct tally *t);

/* Durations as `cpuprobe durations` and `cpuprobe masked` show them: a histogram, for a terminal or as SVG. */
struct duration_view {
    const struct duration_histogram *histogram;
    const char *title;
    double hz;        /* clock units in a second */
    unsigned columns; /* of a line */
    double width;     /* of the drawing, px */
};

void duration_view_print(const struct duration_view *v, FILE *out);

/* For output_to_file(). */
bool duration_view_svg(const void *view, FILE *out);

/* Declares the tick counters as JSON: between two readings, and of a whole epoch. */

extern const struct report_object procstat_levels_object, run_queue_object;

/* One difference: the object of `cpuprobe procstat --json`, and the member procstat of `cpuprobe stat --json`. */
json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d);

/* The exact run queue (tools/trace/waits.h) at the last look before the last reading; NULL for NULL. */
json_t *run_queue_json(const struct run_queue *q);

/* From the beginning to the last reading; NULL: there is none. */
json_t *procstat_json_whole(const struct epoch *e);

/* Declares the report of `cpuprobe profile`, and its JSON. */
struct profile_report {
    const struct call_profile *profile;
    const struct record_store *calls;
    const char *task, *plain; /* names of rows; the second NULL: there is none */
    double hz;                /* clock units in a second; 0: not known */
};

extern const struct report_object profile_object;

/* The report as one JSON object.  Host. */
json_t *profile_json(const struct profile_report *r);

/* A list with the counts of each task that has any, by addresses alone; NULL: no task has. */
json_t *profile_json_counted(const struct epoch *e);
