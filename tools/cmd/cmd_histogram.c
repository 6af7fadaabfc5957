/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe histogram`: where in a task's code the CPU time went; Crowe, "CPU
 * Probes", Figures 4 and 5.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/analysis/report.h"
#include "tools/base/choice.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/input/run_input.h"
#include "tools/stream/stream_reader.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/view/callers_view.h"
#include "tools/view/histogram_json.h"

enum by { BY_SLOT, BY_FUNCTION, BY_LINE, BY_INSTRUCTION };
#define BY_CHOICES "slot|function|line|instruction" /* in this order */

struct arguments {
    const char *path; /* first: stream_argument sets it */
    struct run_selection request;
    unsigned long epoch; /* 0: the last complete one */
    enum by by;
    enum zoom_goal goal;
    unsigned zoom; /* percentage of the hits to keep; 0: no zoom */
    unsigned long min, columns;
    bool names, octal, wald, region, callers, json;
    struct symbol_resolver naming;
};

/* ---- values ---- */

static void take_zoom(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;

    a->zoom = 100;
    a->goal = ZOOM_TO_INSTRUCTION;
    if (text && *text >= '0' && *text <= '9')
        a->zoom = (unsigned)option_number(text, 1, 100, NULL, state);
    else if (text)
        a->goal = ZOOM_TO_FUNCTION + suggest_choice(text, "function|instruction", state);
}

static void take_symbols(void *input, char *path, struct argp_state *state)
{
    struct arguments *a = input;

    a->names = true;
    resolver_take(&a->naming, path, state);
}

static const struct option_row options[] = {
    {"region", 0, NULL, "use a region of the run, even if the run has raw samples", SET_FLAG(region)},
    {"callers", 0, NULL, "print what each call of the kernel costs, by the instruction that makes it "
     "(monitor=callers); of all tasks, or of --task", SET_FLAG(callers)},
    OPTION_JSON(json),
    {"octal", 0, NULL, "print addresses in octal, as in the paper", SET_FLAG(octal)},
    {"min", 0, "N", "hide rows with fewer hits", SET_NUMBER(min, 0, UINT64_MAX)},
    {"wald", 0, NULL, "use the paper's intervals (Wald's)", SET_FLAG(wald)},
    RESOLVER_SYMBOLS_BY(CALL(take_symbols)),
    {"names", 0, NULL, "print slots under the functions that they overlap; --symbols implies it", SET_FLAG(names)},
    {"by", 0, BY_CHOICES, "what a row is", SET_WORD(by)},
    {"zoom", 0, "TO", "narrow the addresses step by step, to the hottest function or instruction; a number is the "
     "percentage of the hits to keep", CALL(take_zoom), .flags = OPTION_ARG_OPTIONAL},
    REPORT_EPOCH("epoch", epoch, "report epoch N of the stream, from 1"),
    {"columns", 0, "N", "width of a line, 48 to 255", SET_NUMBER(columns, HISTOGRAM_NARROW, TEXT_BUF_SIZE - 1)},
    {0},
};

/* `--zoom 95 FILE`: argp accepts an optional value only after '='. */
static void check_apart(void *input, char *text, struct argp_state *state)
{
    const struct arguments *a = input;
    const bool value = !strcmp(text, "function") || !strcmp(text, "instruction") ||
                       (*text && strspn(text, "0123456789") == strlen(text));

    if (a->zoom && value && access(text, F_OK))
        argp_error(state, "the value of --zoom must follow '=': --zoom=%s", text);
}

static const struct argument_row file = {
    ARGUMENT(path), .least = 1, .missing = STREAM_MISSING, .many = STREAM_MANY, .take = check_apart,
};

/* ---- the report ---- */

static bool print(struct arguments *a, const struct profile *p)
{
    const struct histogram_view view = {
        .profile = p, .symbols = &a->naming.symbols, .names = a->names, .octal = a->octal,
        .wald = a->wald, .min = a->min, .columns = a->columns ? (unsigned)a->columns : view_columns(0),
    };

    if (a->zoom)
        return (a->json ? view_zoom_json : view_zoom)(&view, a->goal, a->zoom);
    if (a->by != BY_SLOT)
        return (a->json ? view_breakdown_json : view_breakdown)(&view, (enum breakdown_by)(a->by - BY_FUNCTION));
    (a->json ? view_slots_json : view_slots)(&view, a->request.low,
                                             a->request.high == UINT64_MAX ? 0 : a->request.high);
    return true;
}

static bool choose(const struct arguments *a, const struct epoch *e, struct profile_request *q)
{
    if (!run_selection_resolve(e, &a->request, q))
        return false;
    q->from_region = a->region;
    q->all_modes |= q->task == ROW_MASKED || q->task == ROW_STOLEN;
    return true;
}

/* Files name the calls of one task: those of all tasks are addresses of several programs. */
static int report_callers(struct arguments *a, struct epoch *e, const struct frame_decoder *stream,
                          struct model *model)
{
    uint32_t task = ROW_ANY;

    if (a->request.task && !profile_task(e, a->request.task, &task))
        return EXIT_NO_DATA;
    if (a->request.task && !resolver_choose(&a->naming, e, task, false) && a->request.strict)
        return EXIT_CHECK_FAILED;
    if (!callers_print(e, task, a->request.task ? &a->naming.symbols : NULL, a->json))
        return EXIT_NO_DATA;
    return report_verdict(a->path, stream, model, e);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    struct arguments *a = arguments;
    struct epoch *epoch = report_epoch(a->path, model, a->epoch);
    struct profile_request request;
    struct profile profile;
    bool genuine, whole = a->zoom || a->by != BY_SLOT, printed;

    if (!epoch)
        return EXIT_NO_DATA;
    if (a->callers)
        return report_callers(a, epoch, stream, model);
    if (!choose(a, epoch, &request))
        return EXIT_NO_DATA;
    genuine = resolver_choose(&a->naming, epoch, request.task, whole);
    if (!genuine && a->request.strict)
        return EXIT_CHECK_FAILED;
    if (whole || a->names) /* late ticks are of the image, and of programs of several tasks */
        resolver_warn_unnamed(&a->naming, epoch, request.task,
                              row_has_modes(request.task) ? request.mode : MODE_KERNEL);
    if (!profile_make(&profile, epoch, &request))
        return EXIT_NO_DATA;
    printed = run_input_has_hits(a->path, &profile) && print(a, &profile);
    profile_free(&profile);
    if (!printed)
        return EXIT_NO_DATA;
    return report_verdict(a->path, stream, model, epoch);
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    const int code = report_file(a, a->request.strict, report);

    resolver_free(&a->naming);
    return code;
}

const struct subcommand cmd_histogram = {
    .name = "histogram", .what = "print which code of a task used the time", .run = run_command,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.request.mode = MODES},
    .own = {options, &file}, .args_doc = "FILE", .json = {&histogram_object, &histogram_callers_object},
    .shared = {{&run_selection_options, offsetof(struct arguments, request)}},
    .doc = "Print which code of a task used the CPU time, from raw samples or a region."
           "\vFiles beside this program and debug files are found by the build ids of the "
           "run; --symbols names other files.",
    .example = {"cpuprobe histogram --by function dump", "cpuprobe histogram --zoom dump"},
};
