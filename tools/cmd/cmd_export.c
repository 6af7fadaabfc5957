/* SPDX-License-Identifier: MIT */
/* `cpuprobe export`: a profile in the format of another tool. */
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/gmon.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/stream/stream_reader.h"
#include "tools/input/run_input.h"
#include "tools/view/svg_output.h"

struct arguments {
    const char *path; /* first: parse_file_argument() fills it */
    struct run_selection request;
    const char *to;
    unsigned long epoch;
    bool gmon, samples;
};

enum { OPTION_FORMAT = 256, OPTION_SAMPLES, OPTION_EPOCH };

static const struct argp_option options[] = {
    {"format", OPTION_FORMAT, "FORMAT", 0, "gmon: the gmon.out file that gprof reads", 0},
    {"output", 'o', "FILE", 0, "write to this file; - is standard output", 0},
    {"samples", OPTION_SAMPLES, NULL, 0, "use raw samples or a region even if the task kept a profile", 0},
    {"epoch", OPTION_EPOCH, "N", 0, "export epoch N of the stream, from 1", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case OPTION_FORMAT:
        if (strcmp(text, "gmon"))
            argp_error(state, "'%s' is not a format: gmon", text);
        a->gmon = true;
        return 0;
    case 'o': a->to = text; return 0;
    case OPTION_SAMPLES: a->samples = true; return 0;
    case OPTION_EPOCH: a->epoch = report_parse_epoch(text, state); return 0;
    case ARGP_KEY_END:
        if (!a->gmon || !a->to)
            argp_error(state, "--format and --output are needed");
        return parse_file_argument(key, text, state);
    default: return parse_file_argument(key, text, state);
    }
}

/* Ticks a second, as gprof divides by them. */
static uint32_t rate_of(const struct epoch *e)
{
    const double mean = epoch_mean(e);

    return mean > 0.0 ? (uint32_t)lround((double)e->hello.clock_hz / mean) : 0;
}

/* The profile of the task's own memory, else its samples. */
static bool make(struct gmon *g, const struct arguments *a, const struct epoch *e)
{
    struct profile_request request;
    struct profile profile;
    const struct profil_record *kept;
    bool made;

    if (!run_selection_resolve(e, &a->request, &request))
        return false;
    kept = a->samples ? NULL : profil_record_of(&e->profils, request.task);
    if (kept)
        return gmon_of_profil(g, kept, rate_of(e));
    if (!profile_make(&profile, e, &request))
        return false;
    made = gmon_of_profile(g, &profile, rate_of(e));
    profile_free(&profile);
    return made;
}

static bool draw(const void *what, FILE *out)
{
    return gmon_write(what, out);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);
    struct gmon g;
    bool written;

    if (!e)
        return EXIT_NO_DATA;
    if (!e->has_hello || !rate_of(e)) {
        cli_error("%s does not tell the rate of its ticks", a->path);
        return EXIT_NO_DATA;
    }
    if (!make(&g, a, e))
        return EXIT_NO_DATA;
    if (g.cut)
        cli_error("warning: %" PRIu64 " ticks are more than a counter of gmon.out holds, and are left out", g.cut);
    written = svg_output(a->to, draw, &g);
    gmon_free(&g);
    return written ? report_verdict(a->path, stream, model, e) : EXIT_NO_DATA;
}

static int run_command(int argc, char **argv)
{
    struct arguments arguments = {.request.mode = MODES};

    subcommand_parse(&cmd_export, argc, argv, &arguments);
    return report_file(&arguments, arguments.request.strict, report);
}

const struct subcommand cmd_export = {
    .name = "export", .what = "write a profile for another tool", .run = run_command,
    .options = options, .parser = parse, .shared = {{&run_selection_argp, offsetof(struct arguments, request)}},
    .args_doc = "FILE",
    .doc = "Write the profile of a task for another tool: the one that the task kept (monitor=profil), else its samples.",
};
