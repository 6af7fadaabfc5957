/* SPDX-License-Identifier: MIT */
/* `cpuprobe report`: a run, or two and their difference, as one page that a browser shows without a network. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/model/stream_model.h"
#include "tools/report/report_page.h"
#include "tools/stream/stream_file.h"
#include "tools/stream/stream_reader.h"

struct arguments {
    const char *path[REPORT_RUNS], *out, *source;
    unsigned paths;
    unsigned long epoch[REPORT_RUNS];
    bool json;
    struct symbol_resolver names[REPORT_RUNS];
};

static const struct option_row options[] = {
    {"output", 'o', "OUT.html", "write the page to this file (report.html); '-' is standard output", SET_TEXT(out)},
    REPORT_EPOCH("epoch", epoch[0], REPORT_EPOCH_WHAT),
    REPORT_EPOCH("epoch-b", epoch[1], "the same of the second stream"),
    RESOLVER_SYMBOLS_BY(CALL_BOTH(resolver_take, names[0], names[1])),
    {"source", 0, "DIR", "show lines of source files below this folder beside the code", SET_TEXT(source)},
    {"json", 'j', NULL, "print the data of the page as one JSON object instead", SET_FLAG(json)},
    {0},
};

static const struct argument_row files = {
    ARGUMENTS(path[0], path[1]), .count = offsetof(struct arguments, paths), .least = 1, .most = REPORT_RUNS,
    .missing = "a stream is needed; '-' is standard input",
    .many = "one stream or two: '%s' is one too many", .twice = "only one of the streams can be standard input",
};

struct reading {
    struct frame_decoder stream;
    struct model model;
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
static bool read_run(struct reading *r, struct report_run *run, const char *path, unsigned long epoch,
                     const char *source)
{
    const char *again = copied(r, path);
    struct epoch *e;

    if (!again)
        return false;
    model_read(again, &r->stream, &r->model);
    if (stream_has_no_frames(path, &r->stream))
        return false;
    e = report_epoch(path, &r->model, epoch);
    *run = (struct report_run){.path = path, .name = file_name(path), .again = again, .stream = &r->stream,
                               .model = &r->model, .epoch = e, .names = run->names, .source = source};
    return e;
}

static bool write_data(const struct arguments *a, json_t *data)
{
    const struct report_page page = {.data = data};
    bool written;

    if (a->json) {
        json_print(data, JSON_COMPACT | JSON_REAL_PRECISION(12));
        return true;
    }
    written = output_to_file(a->out ? a->out : "report.html", report_page_write, &page);
    json_decref(data);
    return written;
}

static int make_report(const struct arguments *a, struct reading *reading, struct report_run *run)
{
    int code = EXIT_OK;

    for (unsigned i = 0; i < a->paths; i++)
        if (!read_run(&reading[i], &run[i], a->path[i], a->epoch[i], a->source))
            return EXIT_NO_DATA;
    if (!write_data(a, report_data_json(run, a->paths)))
        return EXIT_NO_DATA;
    for (unsigned i = 0; i < a->paths; i++) {
        const int one = report_verdict(run[i].path, run[i].stream, run[i].model, run[i].epoch);

        code = one > code ? one : code;
    }
    resolver_warn_foreign(run[0].names, run[0].epoch, a->paths > 1 ? run[1].epoch : NULL);
    return code;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    struct reading *reading = xcalloc(REPORT_RUNS, sizeof(*reading));
    struct report_run run[REPORT_RUNS] = {{.names = &a->names[0]}, {.names = &a->names[1]}};
    const int code = make_report(a, reading, run);

    for (unsigned i = 0; i < REPORT_RUNS; i++) {
        resolver_free(&a->names[i]);
        model_free(&reading[i].model);
    }
    free(reading);
    return code;
}

const struct subcommand cmd_report = {
    .name = "report", .what = "write a run as one page for a browser", .run = run_command, .live = true,
    .bytes = sizeof(struct arguments),
    .own = {options, &files}, .args_doc = "FILE [FILE2]", .json = {&report_data_object},
    .doc = "Write a run as one page for a browser, which needs no network: the table with its intervals, time lines, "
           "the profile, and whether the numbers may be believed.  With two streams their difference too.",
    .example = {"cpuprobe report dump -o report.html", "cpuprobe report before.dump after.dump -o difference.html"},
};
