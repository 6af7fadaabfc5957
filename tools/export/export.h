/* SPDX-License-Identifier: MIT */
/* Declares the export of a run: one epoch of a stream as all formats read it, and the formats, a file each.  Host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/estimate/confidence.h"
#include "probe/stats/table.h"
#include "tools/analysis/profile.h"
#include "tools/base/hash_index.h"
#include "tools/base/text_set.h"
#include "tools/records/record_store.h"
#include "tools/samples/sample_reader.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/timeline/epoch_pass.h"

/*
 * The raw samples of an epoch as sums by stack: task, mode, functions of callers, functions, line, the outermost
 * first.  Memory grows with the number of different addresses, not with that of samples.  Host.
 */

/* What a sample saw. */
struct sample_where {
    uint64_t pc;
    uint32_t task; /* row id: of a late sample that of row MASKED or STOLEN */
    uint32_t code; /* row id of the task whose code is at `pc` */
    enum mode mode;
    bool known;    /* false: its place did not arrive; the rest is zero */
    bool other;    /* one of the places beyond STACKS_MOST: without its address */
};

/* Different places that are kept, some 200 bytes each; a run has some thousands. */
#define STACKS_MOST ((size_t)1 << 17)

enum frame_kind { FRAME_TASK, FRAME_MODE, FRAME_FUNCTION, FRAME_LINE };

struct stack_frame { /* no two are equal */
    enum frame_kind kind;
    uint32_t name; /* among the texts; of a line `file.c:12` */
    uint32_t file; /* FRAME_LINE: its path among the texts */
    unsigned line; /* FRAME_LINE: from 1 */
};

struct stack {
    struct sample_where at;
    const struct wire_call_stacks_row *callers; /* of the epoch, the address itself first; NULL: none are known */
    uint32_t more;          /* index of another stack at the same place; 0: there is none */
    uint32_t code;          /* its first frame of the code at the address: before it are those of callers */
    uint64_t hits, changes; /* as in struct tally */
    uint64_t shown;         /* hits of all stacks with these frames, of the first of them; of the others 0 */
    size_t first;           /* of its frames in id[] */
    uint32_t depth;
    uint64_t offset;        /* of the address in its symbol; 0 where there is none */
    uint32_t symbol;        /* name of the symbol, without what was compiled into it, among the texts */
};

/* Code of a file as it was loaded for a task. */
struct stack_code {
    uint32_t task;          /* row id */
    uint32_t path;          /* among the paths */
    uint64_t start, length; /* where it was */
    uint64_t offset;        /* in the file */
};

struct stacks {
    struct text_set texts;
    struct text_set paths; /* whole ones, of the files that give names */
    struct stack_code *code;
    size_t codes;
    struct stack_frame *frame;
    size_t frames;
    struct stack *stack; /* in the order in which they first came; after stacks_name() the same */
    size_t count;
    uint32_t *id;        /* indexes of frames */
    size_t ids;
    uint64_t samples;    /* the sum of all hits */
    uint64_t missing;    /* of these: raw samples that did not arrive */
    uint64_t others;     /* of these: at places beyond STACKS_MOST */
    bool raw;            /* from raw samples, not from the table */
    uint32_t last;       /* stack of the last sample; count: none */
    struct index frame_of, stack_of;
    struct estimator estimator; /* of a share of all samples */
    const struct epoch *epoch;
};

/*
 * Add up the samples of an epoch.  Samples whose place is not known, or that did not arrive, have a stack of their
 * own, so that all shares are shares of all samples.  Without raw samples: the rows of the table, which end at the
 * mode.  False, with a message, if the stream cannot be read again.
 */
bool stacks_make(struct stacks *s, struct epoch_pass *p);

/* Give each stack its frames; `naming` knows what the user named. */
void stacks_name(struct stacks *s, struct symbol_resolver *naming);

/* The index of the place of a task's own code in user mode; INDEX_NONE: no sample was there. */
size_t stacks_place(const struct stacks *s, uint32_t task, uint64_t pc);

/*
 * The stack of a sample of the same epoch, of several at its place the first; NULL: it was not in the first reading.
 */
const struct stack *stacks_find(const struct stacks *s, const struct resolved_sample *sample);

void stacks_free(struct stacks *s);

static inline const char *stack_text(const struct stacks *s, uint32_t number)
{
    return s->texts.text[number];
}

/* A frame of a stack: 0 is the task. */
static inline const struct stack_frame *stack_frame(const struct stacks *s, const struct stack *of, uint32_t n)
{
    return &s->frame[s->id[of->first + n]];
}

/* Its share of all samples, 0 .. 1, with the 95 % interval; NaN where none can be given. */
struct confidence stack_share(const struct stacks *s, const struct stack *of);

/*
 * Callers of user code (stack=): the samples of a place divided among the call stacks in which ticks found it.  The
 * image counts stacks, and sends no stack with a sample: which sample had which callers is known only where a place
 * has one stack.
 */

/*
 * Divide the hits of each place in user mode among its call stacks, as the records CALL_STACKS have them.  The sum
 * stays: where the image counted more than arrived, as of thinned or lost samples, each has its part of what arrived;
 * where it counted fewer, the rest has no callers.  Once, after the hits were added up.
 */
void stacks_divide(struct stacks *s);

/* Turns of the stacks of each place, for formats that have each sample: each stack has as many turns as hits. */
struct stack_turns { /* all zeros: none was taken */
    uint64_t *taken; /* by stack */
};

/* The stack whose turn it is at the place of a sample; NULL as stacks_find(). */
const struct stack *stack_turns_next(struct stack_turns *t, const struct stacks *s,
                                     const struct resolved_sample *sample);

void stack_turns_free(struct stack_turns *t);

/* What formats without room for all notes have: a line each.  Shares are in none of them. */
enum export_head { HEAD_RUN, HEAD_IMAGE, HEAD_LOSSES, HEAD_LINES, HEAD_NONE = HEAD_LINES };

/* All stacks as one tree, for formats that have each sample as a node of it. */
struct stack_tree { /* all zeros: empty */
    struct stack_node {
        uint32_t parent, frame; /* parent: an earlier node, or STACK_ROOT */
    } *node;
    size_t nodes;
    uint32_t *leaf; /* node of each stack; STACK_ROOT: it has no frames */
};

#define STACK_ROOT UINT32_MAX

void stack_tree_make(struct stack_tree *t, const struct stacks *s);
void stack_tree_free(struct stack_tree *t);

/* One epoch of a stream as all formats of `cpuprobe export` read it. */
struct export_run {
    char *name;                  /* of the stream, as the user named it, but printable */
    const struct epoch *epoch;   /* its rows have names */
    struct table_options options;
    struct stacks stacks;        /* named */
    struct epoch_pass *pass;     /* gives samples, states and events again, one by one */
    char **note;                 /* what was measured and what is missing, a sentence each, printable */
    size_t notes;
    char *head[HEAD_LINES];      /* the notes of each line; NULL: there are none */
};

/*
 * Begin: sums, names and notes.  `naming` knows what the user named.  False, with a message, if the stream cannot be
 * read; then too export_run_free() is called.
 */
bool export_run_begin(struct export_run *run, const char *path, struct epoch_pass *p, struct symbol_resolver *naming);
void export_run_free(struct export_run *run);

/*
 * The share of all samples that the table has for a task in a mode, MODES: in all, with its 95 % interval, as a text
 * for the caller to free; NULL: it has no interval.
 */
char *export_share(const struct export_run *run, uint32_t task, enum mode mode);

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

/* A number of 1 to 8 bytes, the lowest first. */
void export_number(FILE *out, uint64_t number, unsigned bytes);

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
    F(perfdata, ".data", "the file perf.data, for perf report", NEEDS_TIMES, export_perf_data, NULL)                 \
    F(chrome, ".json", "Chrome's trace format: states and samples over time", NEEDS_MOMENTS, export_chrome, NULL)    \
    F(perfetto, ".pftrace", "for ui.perfetto.dev: states, scheduling, samples", NEEDS_MOMENTS, export_perfetto, NULL)\
    F(firefox, ".json", "for profiler.firefox.com: samples, states, events", NEEDS_MOMENTS, export_firefox, NULL)    \
    F(ctf, "", "a folder in the Common Trace Format, for babeltrace2", NEEDS_MOMENTS, NULL, export_ctf)              \
    F(vcd, ".vcd", "a value change dump of tasks and modes, for GTKWave and sigrok", NEEDS_MOMENTS, export_vcd, NULL)\
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
bool export_perf_data(const struct export_run *run, FILE *out);
bool export_chrome(const struct export_run *run, FILE *out);
bool export_perfetto(const struct export_run *run, FILE *out);
bool export_firefox(const struct export_run *run, FILE *out);
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
