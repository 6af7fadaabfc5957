/* SPDX-License-Identifier: MIT */
/* `cpuprobe survey`: what kind of machine a board is for time (tasks=survey), or two of them side by side. */
#include <stdio.h>

#include "probe/survey/survey.h"
#include "tools/analysis/report.h"
#include "tools/analysis/survey_diff.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/view/histogram_view.h"

static const char *value_text(char text[48], const struct survey_value *v)
{
    if (!v->known)
        snprintf(text, 48, "-");
    else if (v->interval)
        snprintf(text, 48, "%.4g (%.4g to %.4g)", v->value, v->low, v->high);
    else
        snprintf(text, 48, "%.6g", v->value);
    return text;
}

static void survey_view_compare(const struct survey_diff *d, const char *const path[2])
{
    unsigned differ = 0;

    printf("A: %s\nB: %s\n\n%-34s %32s %32s\n", path[0], path[1], "", "A", "B");
    for (unsigned i = 0; i < d->rows; i++) {
        const struct survey_diff_row *row = &d->row[i];
        char a[48], b[48];

        printf("%-34s %32s %32s%s\n", row->name, value_text(a, &row->of[0]), value_text(b, &row->of[1]),
               row->differ ? "  differ" : "");
        differ += row->differ;
    }
    printf("\n%u of the numbers that have intervals differ by more than these allow\n", differ);
}

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

static const struct option_row options[] = {
    OPTION_JSON(json),
    REPORT_EPOCH("epoch-a", epoch[0], "epoch N of the first stream, from 1"),
    REPORT_EPOCH("epoch-b", epoch[1], "epoch N of the second stream, from 1"),
    {0},
};

static const struct argument_row sides = {
    ARGUMENTS(side[0].path, side[1].path), .count = offsetof(struct arguments, sides), .least = 1, .most = 2,
    .missing = "a stream is needed; '-' is standard input",
    .many = "only two streams can be compared: '%s' is one too many",
    .twice = "only one of the streams can be standard input",
};

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
        survey_print(s, view_line, NULL);
    }
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct side *side = arguments;
    struct arguments *const a = side->of;
    const unsigned number = (unsigned)(side - a->side);
    struct epoch *e = report_epoch(side->path, model, a->epoch[number]);
    int code, other = EXIT_OK;
    struct survey survey;

    if (!e || !report_holds(side->path, e, epoch_survey(e, &survey), "survey", "tasks=survey"))
        return EXIT_NO_DATA;
    code = report_verdict(side->path, stream, model, e);
    if (number + 1 < a->sides) {
        a->first = &survey;
        other = report_file(&a->side[1], false, report);
    } else {
        print(a, &survey);
    }
    return other > code ? other : code;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;

    a->side[0].of = a->side[1].of = a;
    return report_file(&a->side[0], false, report);
}

const struct subcommand cmd_survey = {
    .name = "survey", .what = "print what kind of machine this is for time, or compare two", .run = run_command,
    .bytes = sizeof(struct arguments),
    .own = {options, &sides}, .args_doc = "A [B]", .json = {&survey_report_object},
    .doc = "Print the survey of a machine, of a run with tasks=survey: stolen time, clocks, costs of accesses and "
           "interrupts, and what they mean for a loop; or compare two boards, or one before and after a change.",
    .example = {"cpuprobe survey board.dump", "cpuprobe survey board.dump board2.dump"},
};
