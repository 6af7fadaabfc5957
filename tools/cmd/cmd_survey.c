/* SPDX-License-Identifier: MIT */
/* `cpuprobe survey`: what kind of machine a board is for time (tasks=survey), or two of them side by side. */
#include <argp.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/cmd/commands.h"
#include "tools/json/survey_json.h"
#include "tools/view/survey_view.h"

struct side { /* a file, read when it is its turn: the second one while the first one's model is held */
    const char *path; /* first: report_file() reads it */
    struct arguments *of;
};

struct arguments {
    struct side side[2];
    unsigned sides; /* how many were named */
    unsigned long epoch[2];
    bool json;
    const struct survey *first; /* the first file's, where there are two */
};

enum { OPTION_EPOCH_A = 256, OPTION_EPOCH_B };

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "print one JSON object (docs/JSON.md)", 0},
    {"epoch-a", OPTION_EPOCH_A, "N", 0, "epoch N of the first stream, from 1", 0},
    {"epoch-b", OPTION_EPOCH_B, "N", 0, "epoch N of the second stream, from 1", 0},
    {0},
};

static error_t take_file(struct arguments *a, const char *path, struct argp_state *state)
{
    if (a->sides == 2)
        argp_error(state, "only two streams can be compared: '%s' is one too many", path);
    a->side[a->sides++] = (struct side){path, a};
    if (a->sides == 2 && !strcmp(path, "-") && !strcmp(a->side[0].path, "-"))
        argp_error(state, "only one of the streams can be standard input");
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'j': a->json = true; return 0;
    case OPTION_EPOCH_A: a->epoch[0] = report_parse_epoch(text, state); return 0;
    case OPTION_EPOCH_B: a->epoch[1] = report_parse_epoch(text, state); return 0;
    case ARGP_KEY_ARG: return take_file(a, text, state);
    case ARGP_KEY_END:
        if (!a->sides)
            argp_error(state, "a stream is needed; '-' is standard input");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print(const struct arguments *a, const struct survey *s)
{
    const char *const path[] = {a->side[0].path, a->side[1].path};
    struct survey_diff d;

    if (a->json) {
        survey_print_json(a->first ? (const struct survey *[]){a->first, s} : &s, a->sides);
    } else if (a->first) {
        survey_diff_make(&d, a->first, s);
        survey_view_compare(&d, path);
    } else {
        survey_view_print(s);
    }
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct side *side = arguments;
    struct arguments *const a = side->of;
    const unsigned number = (unsigned)(side - a->side);
    struct epoch *e = report_epoch(side->path, model, a->epoch[number]);
    int code, other = EXIT_OK;

    if (!e || !report_holds(side->path, e, e->survey.told, "survey", "tasks=survey"))
        return EXIT_NO_DATA;
    code = report_verdict(side->path, stream, model, e);
    if (number + 1 < a->sides) {
        a->first = e->survey.survey;
        other = report_file(&a->side[1], false, report);
    } else {
        print(a, e->survey.survey);
    }
    return other > code ? other : code;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {0};

    subcommand_parse(&cmd_survey, argc, argv, &a);
    return report_file(&a.side[0], false, report);
}

const struct subcommand cmd_survey = {
    .name = "survey", .what = "print what kind of machine this is for time, or compare two", .run = run_command,
    .options = options, .parser = parse, .args_doc = "A [B]", .json = {&survey_report_object},
    .doc = "Print the survey of a machine, of a run with tasks=survey: stolen time, clocks, costs of accesses and interrupts, "
           "and what they mean for a loop; or compare two boards, or one before and after a change.",
    .example = {"cpuprobe survey board.dump", "cpuprobe survey board.dump board2.dump"},
};
