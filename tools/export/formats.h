/* SPDX-License-Identifier: MIT */
/* The formats of `cpuprobe export`: a file and a row of export_formats[] each.  Host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/export/export_run.h"

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

/* NULL: there is no such format. */
const struct export_format *export_format_find(const char *name);

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
