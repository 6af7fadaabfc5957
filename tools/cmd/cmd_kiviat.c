/* SPDX-License-Identifier: MIT */
/* `cpuprobe kiviat`: shares of several runs on the axes of one Kiviat graph. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/analysis/run_quantity.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/draw/kiviat.h"
#include "tools/json/kiviat_json.h"
#include "tools/model/model_reader.h"
#include "tools/stream/stream_reader.h"
#include "tools/view/svg_output.h"

#define DEFAULT_AXES  8
#define AXES_OF_A_RUN "user,supervisor,kernel,interrupt,IDLE"

struct run {
    const char *path;
    unsigned long wanted; /* epoch, as the last --epoch before the file said */
    struct frame_decoder stream;
    struct model model;
    struct epoch *epoch;
    bool read_well, modelled;
};

struct arguments {
    struct run run[KIVIAT_RUNS];
    struct kiviat k;
    unsigned long epoch;
    const char *svg;
    char *axes; /* the list, cut into names in place */
    bool exact, strict, json;
};

enum { OPTION_AXES = 256, OPTION_SVG, OPTION_ONE_SCALE, OPTION_EXACT, OPTION_EPOCH, OPTION_STRICT };

static const struct argp_option options[] = {
    {"axes", OPTION_AXES, "LIST", 0,
     "3 to 12 of these, with commas: a task, TASK:MODE, a row as IDLE or MASKED, a mode, busy, late, missed, lost, "
     "monitor (" AXES_OF_A_RUN " and the busiest tasks of the first run)", 0},
    {"svg", OPTION_SVG, "OUT.svg", 0, "draw it as SVG, to this file; '-' is standard output", 0},
    {"json", 'j', NULL, 0, "print one JSON object (docs/JSON.md)", 0},
    {"one-scale", OPTION_ONE_SCALE, NULL, 0, "the same scale on all axes", 0},
    {"exact", OPTION_EXACT, NULL, 0, "the shares of the exact table", 0},
    {"epoch", OPTION_EPOCH, "N", 0, "epoch N, from 1, of the files that follow", 0},
    {"strict", OPTION_STRICT, NULL, 0, "exit 4 where damage gives 3", 0},
    {0},
};

static error_t take_file(struct arguments *a, const char *path, struct argp_state *state)
{
    if (a->k.runs == KIVIAT_RUNS)
        argp_error(state, "%d runs at a time: '%s' is too much", KIVIAT_RUNS, path);
    for (unsigned r = 0; r < a->k.runs; r++)
        if (!strcmp(path, "-") && !strcmp(a->run[r].path, "-"))
            argp_error(state, "standard input can be one of the streams only");
    a->run[a->k.runs++] = (struct run){.path = path, .wanted = a->epoch};
    return 0;
}

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

static void take_axes(struct arguments *a, const char *list, struct argp_state *state)
{
    char *name;

    free(a->axes);
    a->axes = strdup(list);
    a->k.axes = 0;
    for (char *rest = a->axes; (name = strsep(&rest, ","));)
        take_axis(a, name, state);
    if (a->k.axes < KIVIAT_AXES_LEAST)
        argp_error(state, "%d axes at least", KIVIAT_AXES_LEAST);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case OPTION_AXES: take_axes(a, text, state); return 0;
    case 'j': a->json = true; return 0;
    case OPTION_SVG: a->svg = text; return 0;
    case OPTION_ONE_SCALE: a->k.one_scale = true; return 0;
    case OPTION_EXACT: a->exact = true; return 0;
    case OPTION_EPOCH: a->epoch = report_parse_epoch(text, state); return 0;
    case OPTION_STRICT: a->strict = true; return 0;
    case ARGP_KEY_ARG: return take_file(a, text, state);
    case ARGP_KEY_END:
        if (!a->k.runs)
            argp_error(state, "FILE is missing; '-' is standard input");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- runs ---- */

/* False, with a message, if it has no table. */
static bool open_run(struct run *r)
{
    r->modelled = true;
    model_init(&r->model);
    r->read_well = model_read(r->path, &r->stream, &r->model);
    if ((!r->stream.stats.bytes && !r->read_well) || stream_has_no_frames(r->path, &r->stream))
        return false;
    r->epoch = report_epoch(r->path, &r->model, r->wanted);
    if (r->epoch && !r->epoch->snapshot)
        cli_error("%s: no complete snapshot, so no shares", r->path);
    return r->epoch && r->epoch->snapshot;
}

static int verdict(const struct run *r)
{
    const int code = report_verdict(r->path, &r->stream, &r->model, r->epoch);

    return code == EXIT_OK && !r->read_well ? EXIT_DAMAGED : code;
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

static bool draw(const void *what, FILE *out)
{
    return kiviat_svg(what, out);
}

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
    if (a->svg && !svg_output(a->svg, draw, &a->k))
        return EXIT_NO_DATA;
    for (unsigned r = 0; r < a->k.runs; r++) {
        const int of_run = verdict(&a->run[r]);

        code = of_run ? of_run : code;
    }
    return a->strict && code == EXIT_DAMAGED ? EXIT_CHECK_FAILED : code;
}

static int report(struct arguments *a)
{
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

static int run_command(int argc, char **argv)
{
    struct arguments a = {.k.title = "Shares by run"};

    subcommand_parse(&cmd_kiviat, argc, argv, &a);
    return report(&a);
}

const struct subcommand cmd_kiviat = {
    .name = "kiviat", .what = "draw shares of several runs on the axes of one Kiviat graph", .run = run_command,
    .options = options, .parser = parse, .args_doc = "FILE...",
    .json = {&kiviat_report_object},
    .doc = "Draw shares of several runs as a Kiviat graph, or print them as a table.",
    .example = {"cpuprobe kiviat --axes user,kernel,busy dump monitors.dump"},
};
