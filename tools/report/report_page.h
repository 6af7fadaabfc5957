/* SPDX-License-Identifier: MIT */
/* Declares the page of `cpuprobe report`: the run that it shows, its data and its parts as JSON, the page. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/analysis/code_tree.h"
#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"
#include "tools/stat/stat_report.h"
#include "tools/stream/frame_decoder.h"
#include "tools/symbols/symbol_resolver.h"

/* One run as the page of a report shows it. */
struct report_run {
    const char *path, *name;       /* where it is read; what the page calls it */
    /* where its records can be read again; NULL: nowhere, which costs what needs single samples */
    const char *again;
    const struct frame_decoder *stream;
    const struct model *model;
    const struct epoch *epoch;     /* its rows are named (report_epoch()) */
    struct symbol_resolver *names; /* begun by the caller, who adds what the user named */
    const char *source;            /* the folder of source that may be shown; NULL: none */
    bool cut;                      /* older samples of it are no longer there */
    const struct report_run *single; /* of the same epoch: where single samples and states are read; NULL: here */
};

#define REPORT_RUNS 2

/* The data of one run, or of two and their comparison.  For the caller to release.  Host only. */
json_t *report_data_json(const struct report_run *run, unsigned runs);
extern const struct report_object report_data_object;

struct report_page {
    const json_t *data;  /* of report_data_json() */
    /* the path of server-sent events, each newer data, from where the page came; NULL: it asks nobody */
    const char *live;
};

/*
 * Write a struct report_page; the same data gives the same bytes.  Names within the data stay text whatever they are:
 * the data is JSON without '<', and drawn as text.  The page's own policy (CSP) forbids everything that is not in it,
 * but for the events of `live`.  False, with errno, if it could not be written.  Host only.
 */
bool report_page_write(const void *page, FILE *out);

/*
 * Make the tree, which code_tree_free() frees.  False where the run has no callers, or its records cannot be read
 * again.  Which sample had which callers is not known: intervals below a mode are those of independent samples,
 * or wider.
 */
bool report_calls_make(struct code_tree *t, const struct report_run *run);

/* Tells where in the code the samples of a run are, as JSON: a tree of task, mode, function and line. */

#define REPORT_NODES 12000 /* at most: of the rest those with the fewest hits are left out, and counted */

/*
 * The tree, and that of call paths, NULL: there is none.  `t` NULL: the run has no raw samples, and
 * the object says so.  Host only.
 */
json_t *report_code_json(const struct code_tree *t, const struct code_tree *calls);
extern const struct report_object report_code_object;

/* The fewest hits of a node that is shown. */
uint64_t report_code_least(const struct code_tree *t);

/* Counts the samples of each node by time, as JSON: a page makes the table and the tree of a part of the time so. */

/* `t` is the tree of the run; NULL: it has no raw samples, and the object says so.  Host only. */
json_t *report_range_json(const struct report_run *run, struct code_tree *t);
extern const struct report_object report_range_object;

/* Lists the code of functions with the samples of each instruction, and its source.  `t` NULL: none.  Host only. */
json_t *report_listings_json(const struct report_run *run, const struct code_tree *t);
extern const struct report_object report_listings_object;

/* Numbers as a text: five bits a digit, the lowest first; 32 says that another one follows. */
struct digits { /* all zeros: empty */
    char *text; /* for the caller to free; not terminated */
    size_t length;
};
void report_digits_put(struct digits *d, uint64_t n);

/* Tells by time who ran, waited and slept, as JSON; NULL: no events tell of switches of tasks.  Host only. */
json_t *report_waits_json(const struct report_run *run);
extern const struct report_object report_waits_object;

/* The numbers that intervals are made with, from probe/estimate/: the page's scripts do not tell them again. */
json_t *report_limits_json(void);
extern const struct report_object report_limits_object;

/* Makes the JSON of time lines: who had the processor when, by task and mode in a bounded number of columns. */

/*
 * From the states of the run where it has them (account=log, monitor=events), else from the raw samples with times;
 * else an object whose `source` is null.  Host only.
 */
json_t *report_lanes_json(const struct report_run *run);
extern const struct report_object report_lanes_object;

/* Sums how long a run was in each class of states that the image recorded (monitor=states), as JSON. */

/* The list in the order of their letters; NULL where it recorded none.  Host only. */
json_t *report_classes_json(const struct report_run *run);
extern const struct report_object report_class_object;

/* Compares two runs row by row, with what is more than chance, as JSON. */
struct report_side {
    const struct stat_report *stat;
    const struct code_tree *code; /* NULL: the run has no raw samples */
};

/* The comparison, for the caller to release.  Host only. */
json_t *report_compare_json(const struct report_side *a, const struct report_side *b);
extern const struct report_object report_compare_object;

/* The verdict and the findings; `stat` is the report of the same epoch.  Host only. */
json_t *report_trust_json(const struct report_run *run, const struct stat_report *stat);
extern const struct report_object report_trust_object;
