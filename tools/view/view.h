/* SPDX-License-Identifier: MIT */
/* Declares how reports of several monitors show what they found: as text, as JSON, as grids and pictures.  Host. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/call_profile.h"
#include "tools/analysis/profile.h"
#include "tools/base/report_object.h"
#include "tools/input/run_input.h"
#include "tools/input/timeline_input.h"
#include "tools/samples/entropy.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/durations.h"
#include "tools/trace/item_filter.h"

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

/* One event, state or gap of a timeline as a line: as text and as JSON. */

#define TRACE_ARGUMENT_TEXT 64

struct trace_line {
    struct filter_subject subject; /* for the filter too */
    const char *class, *mode;      /* "-": not known */
    char argument[TRACE_ARGUMENT_TEXT]; /* as a person reads it; "-": it has none */
    const struct timeline_item *item;
    const char *stream;            /* of several; NULL: there is one */
};

/* `ended`: what lasted until this event, NULL: nothing. */
void trace_line_of(struct trace_line *line, const struct timeline_input *in, const struct timeline_item *item,
                   const struct duration *ended);

/* The names of the columns; `several`: lines tell their streams. */
void trace_line_head(bool several, FILE *out);

void trace_line_print(const struct trace_line *line, FILE *out);
void trace_line_json(const struct trace_line *line, FILE *out);
extern const struct report_object trace_line_object;

/*
 * Who keeps interrupts off, by function, from raw samples.  A maskable tick arrives late, at the instruction after
 * the one that let interrupts on again (row MASKED); a tick as NMI sees the code itself,
 * and whether interrupts were off.
 */

/* The longest time for which one sample after the other found interrupts off in one function: the ticks are NMIs. */
struct masked_streak {
    uint64_t samples;
    uint64_t begin, end; /* times of the first and the last, clock units; 0: not known */
};

struct late_places {
    struct model model;
    struct symbol_resolver naming; /* the caller adds what the user named before late_places_read() */
    struct profile profile;
    struct breakdown rows; /* functions, the most late ticks first */
    uint64_t samples;      /* all; as NMI those that told whether interrupts were off */
    struct late_tick {
        uint64_t time;
        int32_t row;
    } *late;               /* ticks that are not NMIs, in the order of their times */
    size_t lates;
    struct masked_streak *streak; /* by row; the ticks are NMIs */
    struct masked_streak now;     /* while samples are read: the last one of them */
    int32_t now_row;
    bool nmi;              /* the ticks were NMIs */
    bool any;              /* the run has late samples, or NMIs with interrupts off, and profile and rows are made */
};

/* Of each row; `streak` has room for as many. */
void late_places_streaks(const struct late_places *p, struct masked_streak *streak);

/* Read the samples of a timeline's epoch. */
void late_places_read(struct late_places *p, struct timeline *t);

/*
 * The row of the function where a late tick arrived at the end of a stretch that ends at `end`,
 * clock units; SIZE_MAX: none did.
 */
size_t late_places_row(const struct late_places *p, int64_t end);

void late_places_free(struct late_places *p);

/* What `cpuprobe states` found, and how it is shown. */

/* Hits that are listed without --hits. */
#define STATES_HITS 10

/* One place where the expression matched. */
struct states_hit {
    uint64_t number;      /* of its first change */
    int64_t begin, end;   /* clock units since start */
    int64_t time;         /* less than end - begin where another task ran between (--of) */
    uint64_t changes;
};

struct states {
    const struct timeline_input *in;
    const struct class_tree *tree;
    struct class_sequence sequence;
    struct duration_histogram of[CLASS_CODES]; /* runs of each class */
    int64_t total;                    /* of all of them, clock units */
    struct class_match *match;        /* NULL: no --match */
    bool own_tree;                    /* --classes gave it; else it is the image's, or the default */
    const char *expression, *task;    /* as given; NULL: not given */
    bool all_hits;                    /* print each hit as it is found */
    bool json;
    struct duration_histogram hits;
    /* of all changes: classes; lengths in clock units and microseconds */
    struct entropy_tally codes, lengths, lengths_us;
    struct states_hit first[STATES_HITS];
    struct class_run *shown;          /* the runs of the hit to be drawn; NULL: none */
    size_t shown_runs;
    uint64_t show;                    /* number of that hit, from 1; 0: none */
};

/* As text or as JSON: a hit when it is found; then shares of the classes, or all hits. */
void states_print_hit(const struct states *s, uint64_t number, const struct states_hit *hit);
void states_print(const struct states *s);
extern const struct report_object states_hit_object, states_object;

/* The tree with its shares (Thurner, figure 7), in the terminal and as SVG. */
void states_print_tree(const struct states *s, bool ascii);
bool states_svg_tree(const void *states, FILE *out);
