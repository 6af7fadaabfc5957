/* SPDX-License-Identifier: MIT */
/* Declares the export of a run: one epoch of a stream as all formats read it, and the formats, a file each.  Host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/stats/table.h"
#include "tools/analysis/profile.h"
#include "tools/export/stacks.h"
#include "tools/records/record_store.h"
#include "tools/timeline/epoch_pass.h"

/* One epoch of a stream as all formats of `cpuprobe export` read it. */
struct export_run {
    char *name;                  /* of the stream, as the user named it, but printable */
    const struct epoch *epoch;   /* its rows have names */
    struct table_options options;
    struct stacks stacks;        /* named */
    struct epoch_pass *pass;     /* gives samples, states and events again, one by one */
    char **note;                 /* what was measured and what is missing, a sentence each, printable */
    size_t notes;
};

/*
 * Begin: sums, names and notes.  `naming` knows what the user named.  False, with a message, if the stream cannot be
 * read; then too export_run_free() is called.
 */
bool export_run_begin(struct export_run *run, const char *path, struct epoch_pass *p, struct symbol_resolver *naming);
void export_run_free(struct export_run *run);

/* Mean time from sample to sample, ns; 0: not known. */
uint64_t export_period(const struct export_run *run);

/* A time of the stream (clock units since the image started) in ns; the rate of the clock must be known. */
int64_t export_ns(const struct export_run *run, int64_t time);

/* The same of a sample. */
uint64_t export_sample_ns(const struct export_run *run, const struct resolved_sample *sample);

/* From the first arming to the last expiry, ns; 0: not known. */
uint64_t export_duration(const struct export_run *run);

/* Whether the run has raw samples with times, or states or events. */
bool export_has_times(const struct export_run *run);
bool export_has_items(const struct export_run *run);

/* A text in a JSON string; the texts of a run are printable, others must be. */
void export_json_text(FILE *out, const char *text);

/* As json_count() has it: a real number above 2^63 - 1, for readers that have no such integers. */
void export_json_count(FILE *out, uint64_t n);

/* The notes as a JSON array, with this white space between them. */
void export_json_notes(FILE *out, const struct export_run *run, const char *between);

/* The formats of `cpuprobe export`: a file and a row of export_formats[] each. */
enum export_needs {
    NEEDS_SUMS,    /* raw samples, else the table */
    NEEDS_TABLE,   /* a snapshot */
    NEEDS_TIMES,   /* raw samples with times */
    NEEDS_MOMENTS, /* these, or states, or events */
    NEEDS_RECORDS, /* the same, samples also without times */
    NEEDS_PROFILE, /* the profile of one task: it has a maker of its own */
};

struct export_format {
    const char *name, *extension, *what;
    enum export_needs needs;
    /* Write it; false: that failed.  One of the two; the second for a folder, which exists and is empty. */
    bool (*write)(const struct export_run *run, FILE *out);
    bool (*write_folder)(const struct export_run *run, const char *folder);
};

/* A row a format: name, extension, what it is, what it needs, its writer of a file, of a folder. */
#define EXPORT_FORMATS(F)                                                                                            \
    F(pprof, ".pb.gz", "for go tool pprof and speedscope", NEEDS_SUMS, export_pprof, NULL)                           \
    F(folded, ".folded", "stacks with counts, for flame graphs", NEEDS_SUMS, export_folded, NULL)                    \
    F(speedscope, ".speedscope.json", "for speedscope.app", NEEDS_SUMS, export_speedscope, NULL)                     \
    F(callgrind, ".callgrind", "for callgrind_annotate and KCachegrind", NEEDS_SUMS, export_callgrind, NULL)         \
    F(csv, ".csv", "a row for each place, with intervals", NEEDS_SUMS, export_csv, NULL)                             \
    F(openmetrics, ".txt", "the table, for Prometheus", NEEDS_TABLE, export_openmetrics, NULL)                       \
    F(perf, ".perf", "the text of perf script, a stack for each sample", NEEDS_TIMES, export_perf, NULL)             \
    F(chrome, ".json", "Chrome's trace format: states and samples over time", NEEDS_MOMENTS, export_chrome, NULL)    \
    F(ctf, "", "a folder in the Common Trace Format, for babeltrace2", NEEDS_MOMENTS, NULL, export_ctf)              \
    F(vcd, ".vcd", "a value change dump of tasks and modes, for GTKWave", NEEDS_MOMENTS, export_vcd, NULL)           \
    F(jsonl, ".jsonl", "an object a line: samples, states, events", NEEDS_RECORDS, export_jsonl, NULL)               \
    F(gmon, ".gmon", "the gmon.out file that gprof reads, of one task", NEEDS_PROFILE, NULL, NULL)

extern const struct export_format export_formats[];
extern const size_t export_format_count;

/* One file a format. */
bool export_folded(const struct export_run *run, FILE *out);
bool export_speedscope(const struct export_run *run, FILE *out);
bool export_pprof(const struct export_run *run, FILE *out);
bool export_callgrind(const struct export_run *run, FILE *out);
bool export_csv(const struct export_run *run, FILE *out);
bool export_openmetrics(const struct export_run *run, FILE *out);
bool export_perf(const struct export_run *run, FILE *out);
bool export_chrome(const struct export_run *run, FILE *out);
bool export_ctf(const struct export_run *run, const char *folder);
bool export_vcd(const struct export_run *run, FILE *out);
bool export_jsonl(const struct export_run *run, FILE *out);

/*
 * A profile as gprof reads it: the histogram of a gmon.out file (GNU gprof, "Profiling Data File Format"; the
 * histogram is 4.4BSD's).  It has no arcs.
 */

#define GMON_COUNTERS_MAX ((size_t)1 << 22) /* 8 MiB of code at two bytes a counter */

struct gmon {
    uint64_t low, high; /* [low, high) is divided among the counters */
    uint16_t *count;
    size_t counts;
    uint32_t rate;      /* ticks a second */
    uint64_t cut;       /* ticks above what a counter holds */
};

/* From the profile that a task kept.  False, with a message, where its scale gives no such histogram. */
bool gmon_of_profil(struct gmon *g, const struct record_store *from, uint32_t rate);

/* From raw samples or a region: two bytes of code a counter.  False, with a message, where that is too much code. */
bool gmon_of_profile(struct gmon *g, const struct profile *from, uint32_t rate);

void gmon_free(struct gmon *g);

/* Write the file of a struct gmon.  False: it failed. */
bool gmon_write(const void *gmon, FILE *out);

/* OpenMetrics 1.0 text of one run, or of the runs of several lines in one answer. */

#define OPENMETRICS_PREFIX "cpuprobe_"

struct openmetrics_run {
    const char *line;      /* label `line`, printable; NULL: without one */
    struct export_run run; /* `epoch`, with a snapshot and named rows, and `options` are read */
};

/* The head of a family of metrics, whose name lacks the prefix; `unit` may be NULL. */
void openmetrics_family(FILE *out, const char *name, const char *type, const char *unit, const char *help);

/* All families, each with the metrics of each run. */
void openmetrics_put(FILE *out, const struct openmetrics_run *run, size_t runs);

/* What an answer ends with. */
void openmetrics_end(FILE *out);
