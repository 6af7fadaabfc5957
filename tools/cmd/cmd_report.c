/* SPDX-License-Identifier: MIT */
/* `cpuprobe report`: a run, or two and their difference, as one page that a browser shows without a network. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"
#include "tools/model/model_reader.h"
#include "tools/report/report_data.h"
#include "tools/report/report_page.h"
#include "tools/stream/stream_copy.h"
#include "tools/stream/stream_reader.h"
#include "tools/view/svg_output.h"

struct arguments {
    const char *path[REPORT_RUNS], *out;
    unsigned paths;
    unsigned long epoch[REPORT_RUNS];
    bool json;
    struct symbol_resolver names[REPORT_RUNS];
};

enum { OPTION_EPOCH = 256, OPTION_EPOCH_B };

static const struct argp_option options[] = {
    {"output", 'o', "OUT.html", 0, "write the page to this file (report.html); '-' is standard output", 0},
    {"epoch", OPTION_EPOCH, "N", 0, "epoch N of the stream, from 1", 0},
    {"epoch-b", OPTION_EPOCH_B, "N", 0, "the same of the second stream", 0},
    {"symbols", 's', "FILE|DIR", 0, "take names from this file or folder; may be repeated", 0},
    {"json", 'j', NULL, 0, "print the data of the page as one JSON object instead", 0},
    {0},
};

static error_t take_file(struct arguments *a, const char *path, struct argp_state *state)
{
    if (a->paths == REPORT_RUNS)
        argp_error(state, "one stream or two: '%s' is one too many", path);
    a->path[a->paths++] = path;
    if (a->paths == 2 && !strcmp(path, "-") && !strcmp(a->path[0], "-"))
        argp_error(state, "only one of the streams can be standard input");
    return 0;
}

static void take_symbols(struct arguments *a, const char *path)
{
    for (unsigned i = 0; i < REPORT_RUNS; i++)
        if (!resolver_add(&a->names[i], path))
            exit(EXIT_NO_DATA);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'o': a->out = text; return 0;
    case 'j': a->json = true; return 0;
    case 's': take_symbols(a, text); return 0;
    case OPTION_EPOCH: a->epoch[0] = report_parse_epoch(text, state); return 0;
    case OPTION_EPOCH_B: a->epoch[1] = report_parse_epoch(text, state); return 0;
    case ARGP_KEY_ARG: return take_file(a, text, state);
    case ARGP_KEY_END:
        if (!a->paths)
            argp_error(state, "a stream is needed; '-' is standard input");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

struct reading {
    struct frame_decoder stream;
    struct model model;
    bool read_well;
    char again[32]; /* the copy of standard input */
};

/* Where the stream can be read more than once; NULL, with a message: nowhere. */
static const char *copied(struct reading *r, const char *path)
{
    struct stat what;
    int from, copy;

    if (!stat(path, &what) && S_ISREG(what.st_mode))
        return path;
    from = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    copy = from < 0 ? -1 : stream_copy(from);
    if (copy < 0)
        cli_error("%s: %s", path, strerror(errno));
    snprintf(r->again, sizeof(r->again), "/proc/self/fd/%d", copy);
    return copy < 0 ? NULL : r->again;
}

/* A page is sent to others: it does not tell the folders of its maker. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* False, with a message, if the file holds no epoch. */
static bool read_run(struct reading *r, struct report_run *run, const char *path, unsigned long epoch)
{
    const char *again = copied(r, path);
    struct epoch *e;

    if (!again)
        return false;
    model_init(&r->model);
    r->read_well = model_read(again, &r->stream, &r->model);
    if ((!r->stream.stats.bytes && !r->read_well) || stream_has_no_frames(path, &r->stream))
        return false;
    e = report_epoch(path, &r->model, epoch);
    *run = (struct report_run){.path = path, .name = file_name(path), .again = again, .stream = &r->stream,
                               .model = &r->model, .epoch = e, .names = run->names};
    return e;
}

static bool write_page(const void *what, FILE *out)
{
    return report_page_write(what, out);
}

static bool write_data(const struct arguments *a, json_t *data)
{
    const struct report_page page = {.data = data};
    bool written;

    if (a->json) {
        json_print(data, JSON_COMPACT | JSON_REAL_PRECISION(12));
        return true;
    }
    written = svg_output(a->out ? a->out : "report.html", write_page, &page);
    json_decref(data);
    return written;
}

static int verdict(const struct report_run *run, const struct reading *r)
{
    const int code = report_verdict(run->path, run->stream, run->model, run->epoch);

    return code == EXIT_OK && !r->read_well ? EXIT_DAMAGED : code;
}

static int make_report(const struct arguments *a, struct reading *reading, struct report_run *run)
{
    int code = EXIT_OK;

    for (unsigned i = 0; i < a->paths; i++)
        if (!read_run(&reading[i], &run[i], a->path[i], a->epoch[i]))
            return EXIT_NO_DATA;
    if (!write_data(a, report_data_json(run, a->paths)))
        return EXIT_NO_DATA;
    for (unsigned i = 0; i < a->paths; i++) {
        const int one = verdict(&run[i], &reading[i]);

        code = one > code ? one : code;
        resolver_warn_foreign(run[i].names, run[i].epoch);
    }
    return code;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {0};
    struct reading *reading = xrealloc_array(NULL, REPORT_RUNS, sizeof(*reading));
    struct report_run run[REPORT_RUNS] = {{.names = &a.names[0]}, {.names = &a.names[1]}};
    int code;

    memset(reading, 0, REPORT_RUNS * sizeof(*reading));
    for (unsigned i = 0; i < REPORT_RUNS; i++)
        resolver_init(&a.names[i]);
    subcommand_parse(&cmd_report, argc, argv, &a);
    code = make_report(&a, reading, run);
    for (unsigned i = 0; i < REPORT_RUNS; i++) {
        resolver_free(&a.names[i]);
        model_free(&reading[i].model);
    }
    free(reading);
    return code;
}

const struct subcommand cmd_report = {
    .name = "report", .what = "write a run as one page for a browser", .run = run_command, .live = true,
    .options = options, .parser = parse, .args_doc = "FILE [FILE2]", .json = {&report_data_object},
    .doc = "Write a run as one page for a browser, which needs no network: the table with its intervals, time lines, the profile, "
           "and whether the numbers may be believed.  With two streams their difference too.",
    .example = {"cpuprobe report dump -o report.html", "cpuprobe report before.dump after.dump -o difference.html"},
};
