/* SPDX-License-Identifier: MIT */
/* `cpuprobe compare`: every monitor of one workload side by side. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/compare/compare_view.h"
#include "tools/view/svg_output.h"

#define ROWS   10
#define LINE   115200
#define MEMORY 1048576

struct arguments {
    const char *path[COMPARE_STREAMS];
    unsigned long epoch[COMPARE_STREAMS], wanted;
    unsigned paths;
    struct compare_settings how;
    const char *svg, *alone;
    bool json, strict;
};

enum { OPTION_SVG = 256, OPTION_EPOCH, OPTION_LINE, OPTION_MEMORY, OPTION_ROWS, OPTION_STRICT, OPTION_ALONE };

static const struct argp_option options[] = {
    {"line", OPTION_LINE, "BITS", 0, "the line carries BITS a second, ten to a byte (115200)", 0},
    {"memory", OPTION_MEMORY, "BYTES", 0, "the monitor has BYTES of memory (1048576)", 0},
    {"alone", OPTION_ALONE, "FILE", 0,
     "a stream of the same workload without the monitors: by how much they slow its busiest task", 0},
    {"rows", OPTION_ROWS, "N", 0, "the N busiest tasks (10)", 0},
    {"svg", OPTION_SVG, "OUT.svg", 0,
     "draw the monitors by resolution, duration and amount of data, to this file; '-' is standard output", 0},
    {"json", 'j', NULL, 0, "print one JSON object (docs/JSON.md)", 0},
    {"epoch", OPTION_EPOCH, "N", 0, "epoch N, from 1, of the files that follow", 0},
    {"strict", OPTION_STRICT, NULL, 0, "exit 4 where damage gives 3", 0},
    {0},
};

static error_t take_file(struct arguments *a, const char *path, struct argp_state *state)
{
    if (a->paths == COMPARE_STREAMS)
        argp_error(state, "%d streams at a time: '%s' is too much", COMPARE_STREAMS, path);
    for (unsigned i = 0; i < a->paths; i++)
        if (!strcmp(path, "-") && !strcmp(a->path[i], "-"))
            argp_error(state, "standard input can be one of the streams only");
    a->epoch[a->paths] = a->wanted;
    a->path[a->paths++] = path;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case OPTION_LINE: a->how.line = (double)cli_number(text, 1, 100000000000, state); return 0;
    case OPTION_MEMORY: a->how.memory = (double)cli_number(text, 1, INT64_MAX, state); return 0;
    case OPTION_ROWS: a->how.rows = (unsigned)cli_number(text, 1, 1000, state); return 0;
    case OPTION_ALONE: a->alone = text; return 0;
    case OPTION_SVG: a->svg = text; return 0;
    case 'j': a->json = true; return 0;
    case OPTION_EPOCH: a->wanted = report_parse_epoch(text, state); return 0;
    case OPTION_STRICT: a->strict = true; return 0;
    case ARGP_KEY_ARG: return take_file(a, text, state);
    case ARGP_KEY_END:
        if (!a->paths)
            argp_error(state, "which FILE? '-' is standard input");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool show(const struct compare *c, const struct arguments *a)
{
    const struct compare_picture picture = {c, &a->how};

    if (a->svg)
        return svg_output(a->svg, compare_draw, &picture);
    (a->json ? compare_print_json : compare_print)(c, &a->how);
    return true;
}

static bool is_incomplete(const struct compare_stream *s)
{
    return report_verdict(s->path, &s->stream, &s->model, s->epoch) != EXIT_OK || !s->read_well;
}

static int verdict(const struct compare *c, bool strict)
{
    int code = c->alone.epoch && is_incomplete(&c->alone) ? EXIT_DAMAGED : EXIT_OK;

    for (unsigned i = 0; i < c->streams; i++)
        if (is_incomplete(&c->stream[i]))
            code = EXIT_DAMAGED;
    return code == EXIT_DAMAGED && strict ? EXIT_CHECK_FAILED : code;
}

static int compare_files(const struct arguments *a, struct compare *c)
{
    for (unsigned i = 0; i < a->paths; i++)
        if (!compare_add(c, a->path[i], a->epoch[i]))
            return EXIT_NO_DATA;
    if (a->alone && !compare_add_alone(c, a->alone))
        return EXIT_NO_DATA;
    if (!c->monitors) {
        cli_error("no stream has a monitor that tells shares");
        return EXIT_NO_DATA;
    }
    compare_finish(c);
    return show(c, a) ? verdict(c, a->strict) : EXIT_NO_DATA;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {.how = {.line = LINE, .memory = MEMORY, .rows = ROWS}};
    struct compare *c = xrealloc_array(NULL, 1, sizeof(*c));
    int code;

    subcommand_parse(&cmd_compare, argc, argv, &a);
    memset(c, 0, sizeof(*c));
    code = compare_files(&a, c);
    compare_free(c);
    free(c);
    return code;
}

const struct subcommand cmd_compare = {
    .name = "compare", .what = "print every monitor of one workload side by side", .run = run_command,
    .options = options, .parser = parse, .args_doc = "FILE...", .json = {&compare_object},
    .doc = "Print every monitor of one workload side by side: its shares by task and mode, its distance from the truth, "
           "its resolution, its cost.  The truth is the exact account of hwmon, else of the first FILE that has one.",
    .example = {"cpuprobe compare --line 9600 dump monitors.dump"},
};
