/* SPDX-License-Identifier: MIT */
/* `cpuprobe kiviat`: shares of several runs on the axes of one Kiviat graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/analysis/run_quantity.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/draw/kiviat.h"
#include "tools/model/stream_model.h"
#include "tools/stream/stream_reader.h"

#define KIVIAT_SHARE_MEMBERS(M, O)                                                  \
    M(REAL, percent, "the share, percent")                                          \
    M(REAL, low, "lower end of its 95 % interval")                                  \
    M(REAL, high, "upper end of its 95 % interval")
REPORT_OBJECT(kiviat_share, KIVIAT_SHARE_MEMBERS)

#define KIVIAT_AXIS_MEMBERS(M, O)                                                   \
    M(TEXT, name, "task, TASK:MODE, row, mode, or busy, late, missed, lost, monitor") \
    O(LIST, runs, kiviat_share, "its value in each run, in the order of files")
REPORT_OBJECT(kiviat_axis, KIVIAT_AXIS_MEMBERS)

#define KIVIAT_MEMBERS(M, O)                                                        \
    M(TEXTS, files, "the stream of each run")                                       \
    O(LIST, axes, kiviat_axis, "the axes, as asked for")
REPORT_WHOLE(kiviat_report, "cpuprobe-kiviat-1", KIVIAT_MEMBERS)

static json_t *axis(const struct kiviat *k, unsigned a)
{
    json_t *values = json_array();

    for (unsigned r = 0; r < k->runs; r++) {
        const struct kiviat_value *const v = &k->of[r][a];

        REPORT_ADD(values, kiviat_share, v->value, v->low, v->high);
    }
    return REPORT_MAKE(kiviat_axis, k->axis[a], values);
}

/* Print it. */
static void kiviat_json(const struct kiviat *k)
{
    json_t *files = json_array(), *axes = json_array();

    for (unsigned r = 0; r < k->runs; r++)
        json_array_append_new(files, json_text_or_null(k->run[r]));
    for (unsigned a = 0; a < k->axes; a++)
        json_array_append_new(axes, axis(k, a));
    json_print(REPORT_MAKE(kiviat_report, files, axes), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

#define DEFAULT_AXES  8
#define AXES_OF_A_RUN "user,supervisor,kernel,interrupt,IDLE"

struct run {
    const char *path;
    unsigned long wanted; /* epoch, as the last --epoch before the file said */
    struct frame_decoder stream;
    struct model model;
    struct epoch *epoch;
    bool modelled;
};

struct arguments {
    struct run run[KIVIAT_RUNS];
    struct kiviat k;
    unsigned long epoch;
    const char *svg;
    char *axes; /* the list, cut into names in place */
    bool exact, strict, json;
};

static void take_axis(struct arguments *a, char *name, struct argp_state *state)
{
    if (!*name)
        argp_error(state, "an axis of --axes has no name");
    if (a->k.axes == KIVIAT_AXES)
        argp_error(state, "%d axes at most: '%s' is too much", KIVIAT_AXES, name);
    for (unsigned i = 0; i < a->k.axes; i++)
        if (!strcmp(a->k.axis[i], name))
            argp_error(state, "two axes are '%s'", name);
    a->k.axis[a->k.axes++] = name;
}

static void take_axes(void *input, char *list, struct argp_state *state)
{
    struct arguments *a = input;
    char *name;

    free(a->axes);
    a->axes = strdup(list);
    a->k.axes = 0;
    for (char *rest = a->axes; (name = strsep(&rest, ","));)
        take_axis(a, name, state);
    if (a->k.axes < KIVIAT_AXES_LEAST)
        argp_error(state, "%d axes at least", KIVIAT_AXES_LEAST);
}

static const struct option_row options[] = {
    {"axes", 0, "LIST",
     "3 to 12 of these, with commas: a task, TASK:MODE, a row as IDLE or MASKED, a mode, busy, late, missed, lost, "
     "monitor (" AXES_OF_A_RUN " and the busiest tasks of the first run)", CALL(take_axes)},
    OPTION_SVG(svg),
    OPTION_JSON(json),
    {"one-scale", 0, NULL, "the same scale on all axes", SET_FLAG(k.one_scale)},
    {"exact", 0, NULL, "the shares of the exact table", SET_FLAG(exact)},
    REPORT_EPOCH("epoch", epoch, "epoch N, from 1, of the files that follow"),
    REPORT_STRICT(strict),
    {0},
};

static const struct argument_row files = {
    ARGUMENTS(run[0].path, run[1].path), .count = offsetof(struct arguments, k.runs), .least = 1, .most = KIVIAT_RUNS,
    .missing = STREAM_MISSING, .many = TEXT_OF(KIVIAT_RUNS) " runs at a time: '%s' is too much",
    .twice = "standard input can be one of the streams only", .last = offsetof(struct arguments, epoch),
    .kept = offsetof(struct arguments, run[0].wanted),
};

/* ---- runs ---- */

/* False, with a message, if it has no table. */
static bool open_run(struct run *r)
{
    r->modelled = true;
    model_read(r->path, &r->stream, &r->model);
    if (stream_has_no_frames(r->path, &r->stream))
        return false;
    r->epoch = report_epoch(r->path, &r->model, r->wanted);
    if (r->epoch && !r->epoch->snapshot)
        cli_error("%s: no complete snapshot, so no shares", r->path);
    return r->epoch && r->epoch->snapshot;
}

/* ---- axes ---- */

static bool is_axis(const struct kiviat *k, const char *name)
{
    for (unsigned i = 0; i < k->axes; i++)
        if (!strcmp(k->axis[i], name))
            return true;
    return false;
}

/* The task with the most samples that is no axis yet; NULL: none is left. */
static const struct snapshot_row *next_task(const struct kiviat *k, const struct snapshot *s)
{
    const struct snapshot_row *best = NULL;

    for (uint32_t i = 0; i < s->rows; i++)
        if (s->row[i].id < ROW_IDLE && (!best || s->row[i].total > best->total) && !is_axis(k, s->row[i].name))
            best = &s->row[i];
    return best;
}

static void choose_axes(struct arguments *a)
{
    const struct snapshot_row *row;
    char *name;

    a->axes = strdup(AXES_OF_A_RUN);
    for (char *rest = a->axes; (name = strsep(&rest, ","));)
        a->k.axis[a->k.axes++] = name;
    while (a->k.axes < DEFAULT_AXES && (row = next_task(&a->k, a->run[0].epoch->snapshot)))
        a->k.axis[a->k.axes++] = row->name;
}

/* False, with a message, if no run knows it. */
static bool fill_axis(struct arguments *a, unsigned axis)
{
    unsigned found = 0;

    for (unsigned r = 0; r < a->k.runs; r++) {
        struct run_quantity q;

        found += run_quantity(a->run[r].epoch, a->k.axis[axis], a->exact, &q) == QUANTITY_FOUND;
        a->k.of[r][axis] = (struct kiviat_value){q.percent, q.low, q.high};
    }
    if (!found)
        cli_error("no run has '%s': an axis is a task, TASK:MODE, a row, a mode, busy, late, missed, lost or monitor",
                  a->k.axis[axis]);
    return found;
}

/* ---- output ---- */

static int show(struct arguments *a)
{
    int code = EXIT_OK;

    if (!a->k.axes)
        choose_axes(a);
    for (unsigned i = 0; i < a->k.axes; i++)
        if (!fill_axis(a, i))
            return EXIT_NO_DATA;
    if (a->json)
        kiviat_json(&a->k);
    else if (!a->svg)
        kiviat_print(&a->k, stdout);
    if (a->svg && !output_to_file(a->svg, kiviat_svg, &a->k))
        return EXIT_NO_DATA;
    for (unsigned r = 0; r < a->k.runs; r++) {
        const struct run *run = &a->run[r];
        const int of_run = report_verdict(run->path, &run->stream, &run->model, run->epoch);

        code = of_run ? of_run : code;
    }
    return a->strict && code == EXIT_DAMAGED ? EXIT_CHECK_FAILED : code;
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code = EXIT_OK;

    for (unsigned r = 0; r < a->k.runs && !code; r++) {
        a->k.run[r] = a->run[r].path;
        code = open_run(&a->run[r]) ? EXIT_OK : EXIT_NO_DATA;
    }
    if (!code)
        code = show(a);
    for (unsigned r = 0; r < a->k.runs; r++)
        if (a->run[r].modelled)
            model_free(&a->run[r].model);
    free(a->axes);
    return code;
}

const struct subcommand cmd_kiviat = {
    .name = "kiviat", .what = "draw shares of several runs on the axes of one Kiviat graph", .run = report,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.k.title = "Shares by run"},
    .own = {options, &files}, .args_doc = "FILE...", .json = {&kiviat_report_object},
    .doc = "Draw shares of several runs as a Kiviat graph, or print them as a table.",
    .example = {"cpuprobe kiviat --axes user,kernel,busy dump monitors.dump"},
};
