/* SPDX-License-Identifier: MIT */
/* `cpuprobe compare`: every monitor of one workload side by side. */
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/cmd/commands.h"
#include "tools/compare/compare.h"

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

static const struct option_row options[] = {
    {"line", 0, "BITS", "the line carries BITS a second, ten to a byte (115200)",
     SET_NUMBER(how.line, 1, 100000000000)},
    {"memory", 0, "BYTES", "the monitor has BYTES of memory (1048576)", SET_NUMBER(how.memory, 1, INT64_MAX)},
    {"alone", 0, "FILE", "a stream of the same workload without the monitors: by how much they slow its busiest task",
     SET_TEXT(alone)},
    {"rows", 0, "N", "the N busiest tasks (10)", SET_NUMBER(how.rows, 1, 1000)},
    {"svg", 0, "OUT.svg", "draw the monitors by resolution, duration and amount of data, to this file; '-' is "
     "standard output", SET_TEXT(svg)},
    OPTION_JSON(json),
    REPORT_EPOCH("epoch", wanted, "epoch N, from 1, of the files that follow"),
    REPORT_STRICT(strict),
    {0},
};

static const struct argument_row files = {
    ARGUMENTS(path[0], path[1]), .count = offsetof(struct arguments, paths), .least = 1, .most = COMPARE_STREAMS,
    .missing = "which FILE? '-' is standard input",
    .many = TEXT_OF(COMPARE_STREAMS) " streams at a time: '%s' is too much",
    .twice = "standard input can be one of the streams only", .last = offsetof(struct arguments, wanted),
    .kept = offsetof(struct arguments, epoch),
};

static bool show(const struct compare *c, const struct arguments *a)
{
    const struct compare_picture picture = {c, &a->how};

    if (a->svg)
        return output_to_file(a->svg, compare_draw, &picture);
    (a->json ? compare_print_json : compare_print)(c, &a->how);
    return true;
}

static bool is_incomplete(const struct compare_stream *s)
{
    return report_verdict(s->path, &s->stream, &s->model, s->epoch) != EXIT_OK;
}

static int verdict(const struct compare *c, bool strict)
{
    int code = c->alone.epoch && is_incomplete(&c->alone) ? EXIT_DAMAGED : EXIT_OK;

    for (unsigned i = 0; i < c->streams; i++)
        if (is_incomplete(&c->stream[i]))
            code = EXIT_DAMAGED;
    return code == EXIT_DAMAGED && strict ? EXIT_CHECK_FAILED : code;
}

static void report_limits(const struct compare *c)
{
    for (size_t i = 0; i < c->monitors; i++)
        if (c->monitor[i].rows == COMPARE_ROWS)
            cli_error("%s: %s: %d rows are kept: the last one, " COMPARE_OTHERS ", has all later ones",
                      c->monitor[i].from->path, c->monitor[i].name, COMPARE_ROWS);
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
    report_limits(c);
    return show(c, a) ? verdict(c, a->strict) : EXIT_NO_DATA;
}

static int run_command(void *arguments)
{
    struct compare *c = xcalloc(1, sizeof(*c));
    const int code = compare_files(arguments, c);

    compare_free(c);
    free(c);
    return code;
}

const struct subcommand cmd_compare = {
    .name = "compare", .what = "print every monitor of one workload side by side", .run = run_command,
    .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.how = {.line = LINE, .memory = MEMORY, .rows = ROWS}},
    .own = {options, &files}, .args_doc = "FILE...", .json = {&compare_object},
    .doc = "Print every monitor of one workload side by side: its shares by task and mode, "
           "its distance from the truth, "
           "its resolution, its cost.  The truth is the exact account of hwmon, else of the first FILE that has one.",
    .example = {"cpuprobe compare --line 9600 dump monitors.dump"},
};
