/* SPDX-License-Identifier: MIT */
/* `cpuprobe export`: a run in the format of another tool. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/cmd/commands.h"
#include "tools/export/export.h"
#include "tools/input/run_input.h"
#include "tools/records/plain_report.h"
#include "tools/records/record_store.h"
#include "tools/stream/stream_reader.h"
#include "tools/timeline/epoch_pass.h"

struct arguments {
    const char *path; /* first: stream_argument sets it */
    struct run_selection request;
    unsigned named; /* the format, as in the table */
    const struct export_format *format;
    const char *to;
    unsigned long epoch;
    bool samples;
    struct symbol_resolver naming;
};

#define CHOICE(name, ...) "|" #name
#define FORMAT_CHOICES &(EXPORT_FORMATS(CHOICE))[1]
#define NEEDED "--format and --output are needed"

static const struct option_row options[] = {
    {"format", 0, FORMAT_CHOICES, "the format, as below", SET_WORD(named)},
    {"output", 'o', "FILE", "write to this file, a folder for ctf; - is standard output", SET_TEXT(to)},
    RESOLVER_SYMBOLS(naming),
    {"samples", 0, NULL, "gmon: use raw samples or a region even if the task kept a profile", SET_FLAG(samples)},
    REPORT_EPOCH("epoch", epoch, "export epoch N of the stream, from 1"),
    {0},
};

#define ROW(name, extension, what, needs, file, folder) {#name, extension, what, needs, file, folder},

const struct export_format export_formats[] = {EXPORT_FORMATS(ROW)};
const size_t export_format_count = sizeof(export_formats) / sizeof(export_formats[0]);

/* Only gmon is about one task. */
static void check(void *input, struct argp_state *state)
{
    struct arguments *a = input;
    const struct run_selection *q = &a->request;
    const bool selected = q->task || q->mode != MODES || q->all_modes || q->low || q->high || a->samples;

    a->format = &export_formats[a->named];
    if (a->format->needs != NEEDS_PROFILE && selected)
        argp_error(state, "%s has all tasks: --task, --mode, --low, --high and --samples are for gmon",
                   a->format->name);
    else if (a->format->write_folder && !strcmp(a->to, "-"))
        argp_error(state, "%s is a folder: it needs a name", a->format->name);
}

static const struct option_rule rules[] = {
    {.needs = "format", .refusal = NEEDED},
    {.needs = "output", .refusal = NEEDED},
    {0},
};

/* ---- the profile of one task, for gprof ---- */

/* Ticks a second, as gprof divides by them. */
static uint32_t rate_of(const struct epoch *e)
{
    const double mean = epoch_mean(e);

    return mean > 0.0 ? (uint32_t)lround((double)e->hello.clock_hz / mean) : 0;
}

/* The file has no place for what is missing. */
static void warn_gmon(uint64_t missing)
{
    if (missing)
        cli_error("warning: gmon.out does not tell that %" PRIu64
                  " samples are missing: lost, or without a known place", missing);
}

/* The profile of the task's own memory, else its samples. */
static bool make_gmon(struct gmon *g, const struct arguments *a, const struct epoch *e)
{
    struct profile_request request;
    struct profile profile;
    const struct record_store *kept;
    bool made;

    if (!run_selection_resolve(e, &a->request, &request))
        return false;
    kept = a->samples ? NULL : epoch_kept_of(e, WIRE_PROFIL, request.task);
    if (kept) {
        warn_gmon(((const struct wire_profil *)record_last(kept))->lost);
        return gmon_of_profil(g, kept, rate_of(e));
    }
    if (!profile_make(&profile, e, &request))
        return false;
    warn_gmon(profile.unresolved);
    made = gmon_of_profile(g, &profile, rate_of(e));
    profile_free(&profile);
    return made;
}

static bool export_gmon(const struct arguments *a, const struct epoch *e)
{
    struct gmon g;
    bool written;

    if (!e->has_hello || !rate_of(e)) {
        cli_error("%s does not tell the rate of its ticks", a->path);
        return false;
    }
    if (!make_gmon(&g, a, e))
        return false;
    if (g.cut)
        cli_error("warning: %" PRIu64 " ticks are more than a counter of gmon.out holds, and are left out", g.cut);
    written = output_to_file(a->to, gmon_write, &g);
    gmon_free(&g);
    return written;
}

/* ---- the whole run ---- */

struct written {
    const struct export_run *run;
    const struct export_format *format;
};

static bool write_file(const void *what, FILE *out)
{
    const struct written *w = what;

    return w->format->write(w->run, out);
}

static bool write_folder(const void *what, const char *folder)
{
    const struct written *w = what;

    return w->format->write_folder(w->run, folder);
}

static bool has_needed(const struct export_run *run, enum export_needs needs)
{
    switch (needs) {
    case NEEDS_TABLE: return run->epoch->snapshot;
    case NEEDS_TIMES: return export_has_times(run);
    case NEEDS_MOMENTS: return export_has_times(run) || export_has_items(run);
    case NEEDS_RECORDS: return run->stacks.raw || export_has_items(run) || plain_any(&run->epoch->kept);
    default: return run->stacks.count;
    }
}

static bool write_whole(const struct arguments *a, const struct export_run *run)
{
    static const char *const missing[] = {
        [NEEDS_SUMS] = "neither raw samples nor a table", [NEEDS_TABLE] = "no table",
        [NEEDS_TIMES] = "no raw samples with times",
        [NEEDS_MOMENTS] = "neither raw samples with times nor states nor events",
        [NEEDS_RECORDS] = "neither raw samples nor states nor events",
    };
    const struct written what = {run, a->format};

    if (!has_needed(run, a->format->needs)) {
        cli_error("%s holds nothing for %s: %s", a->path, a->format->name, missing[a->format->needs]);
        return false;
    }
    return a->format->write ? output_to_file(a->to, write_file, &what) : output_to_folder(a->to, write_folder, &what);
}

static int report_whole(void *arguments, struct epoch_pass *p)
{
    struct arguments *a = arguments;
    struct export_run run;
    bool written = export_run_begin(&run, a->path, p, &a->naming) && write_whole(a, &run);
    int code = EXIT_NO_DATA;

    if (run.stacks.others)
        cli_error("%s: %" PRIu64 " samples are without their addresses: they are at more than %zu places", a->path,
                  run.stacks.others, STACKS_MOST);
    if (written)
        code = report_verdict(a->path, epoch_pass_stream(p), epoch_pass_model(p), epoch_pass_epoch(p));
    export_run_free(&run);
    return code == EXIT_DAMAGED && a->request.strict ? EXIT_CHECK_FAILED : code;
}

static int report_task(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    return e && export_gmon(a, e) ? report_verdict(a->path, stream, model, e) : EXIT_NO_DATA;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    const int code = a->format->needs == NEEDS_PROFILE ? report_file(a, a->request.strict, report_task)
                                                       : report_pass(a->path, a->epoch, a, report_whole);

    resolver_free(&a->naming);
    return code;
}

#define LINE(name, extension, what, needs, file, folder) "  " #name ": " what "\n"

const struct subcommand cmd_export = {
    .name = "export", .what = "write a run in the format of another tool", .run = run_command, .live = true,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.request.mode = MODES},
    .own = {options, &stream_argument, rules, check},
    .shared = {{&run_selection_options, offsetof(struct arguments, request)}},
    .args_doc = "FILE",
    .doc = "Write a run in the format of another tool: its raw samples by task, mode, function and line, "
           "else its table. --task, --mode, --low, --high and --samples are for gmon alone."
           "\vFormats:\n" EXPORT_FORMATS(LINE),
    .example = {"cpuprobe export --format folded -o dump.folded dump"},
};
