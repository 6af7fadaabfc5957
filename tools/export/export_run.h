/* SPDX-License-Identifier: MIT */
/* One epoch of a stream as all formats of `cpuprobe export` read it.  Host. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "probe/stats/table.h"
#include "tools/export/stacks.h"
#include "tools/timeline/epoch_pass.h"

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

/* The notes as a JSON array, with this white space between them. */
void export_json_notes(FILE *out, const struct export_run *run, const char *between);
