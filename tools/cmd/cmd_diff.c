/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe diff`: two runs by function, also where functions moved (Crowe, "CPU
 * Probes": "comparison of different versions of a program that may have the same
 * function at different addresses").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/input/run_input.h"
#include "tools/symbols/symbols.h"
#include "tools/view/diff_view.h"

struct arguments {
    struct run_input side[2];
    unsigned sides; /* how many were named */
    struct run_selection request;
    enum breakdown_by by;
    uint64_t min;
    bool json;
    struct fail_condition *fail_if;
    const char **fail_text;
    size_t fail_ifs;
};

static void take_condition(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;

    a->fail_if = xrealloc_array(a->fail_if, a->fail_ifs + 1, sizeof(*a->fail_if));
    a->fail_text = xrealloc_array(a->fail_text, a->fail_ifs + 1, sizeof(*a->fail_text));
    if (!fail_if_parse(&a->fail_if[a->fail_ifs], text))
        argp_error(state, "'%s' is not a condition: any, +0.5, -0.5, NAME > +0.5, NAME < -0.5 "
                   "(points)", text);
    a->fail_text[a->fail_ifs++] = text;
}

static const struct option_row options[] = {
    {"by", 0, "function|line", "what a row is", SET_WORD(by)},
    {"min", 0, "N", "hide rows with fewer hits in both runs together; they are still tested",
     SET_NUMBER(min, 0, UINT64_MAX), .refusal = "--min needs a number of hits, not '%s'"},
    OPTION_JSON(json),
    RESOLVER_SYMBOLS_BY(CALL_BOTH(resolver_take, side[0].naming, side[1].naming)),
    {"symbols-a", 0, "FILE|DIR", "the same for the first run only", CALL_AT(resolver_take, side[0].naming)},
    {"symbols-b", 0, "FILE|DIR", "the same for the second run only", CALL_AT(resolver_take, side[1].naming)},
    REPORT_EPOCH("epoch-a", side[0].wanted, "epoch N of the first stream, from 1"),
    REPORT_EPOCH("epoch-b", side[1].wanted, "epoch N of the second stream, from 1"),
    {"fail-if", 0, "EXPR", "exit with 4 if a row matches: 'any', '+0.5', '-0.5', 'NAME > +0.5', 'NAME < -0.5'; "
     "may be repeated", CALL(take_condition)},
    {0},
};

static const struct argument_row files = {
    ARGUMENTS(side[0].path, side[1].path), .count = offsetof(struct arguments, sides), .least = 2, .most = 2,
    .missing = "two streams are needed; '-' is standard input",
    .many = "only two streams can be compared: '%s' is one too many",
    .twice = "only one of the streams can be standard input",
};

/* ---- the comparison ---- */

static struct share_diff_run run_of(const struct run_input *s)
{
    const struct profile *p = &s->profile;

    return (struct share_diff_run){p->estimator, p->samples, p->unresolved};
}

static void add_tally(struct tally *to, const struct tally *from)
{
    to->hits += from->hits;
    to->changes += from->changes; /* an upper bound where one name is in two files */
}

/* Whether a slot of a region holds parts of several functions. */
static bool is_mixed(const struct run_input *s)
{
    for (size_t i = 0; i < s->rows.rows; i++)
        if (s->rows.row[i].known && !s->rows.row[i].symbol)
            return true;
    return false;
}

static bool same_slots(const struct run_input *a, const struct run_input *b)
{
    const struct profile *p = &a->profile, *q = &b->profile;
    const char *x = epoch_build(a->epoch, p->request.task, p->request.mode);
    const char *y = epoch_build(b->epoch, q->request.task, q->request.mode);

    return p->slot == q->slot && p->base == q->base && x && y && !strcmp(x, y);
}

/* Slot borders that fall elsewhere in another version would look like a difference. */
static const char *why_not_comparable(const struct run_input *a, const struct run_input *b)
{
    return (is_mixed(a) || is_mixed(b)) && !same_slots(a, b)
               ? "slots hold parts of several functions" : NULL;
}

static void compare_sides(struct share_diff *c, const struct run_input *a, const struct run_input *b)
{
    const char *reason = why_not_comparable(a, b);

    *c = (struct share_diff){.a = run_of(a), .b = run_of(b)};
    if (reason && !c->a.estimator.reason)
        c->a.estimator.reason = reason;
    for (size_t i = 0; i < a->rows.rows; i++)
        add_tally(&share_diff_add(c, a->rows.row[i].name)->a, &a->rows.row[i].tally);
    for (size_t i = 0; i < b->rows.rows; i++)
        add_tally(&share_diff_add(c, b->rows.row[i].name)->b, &b->rows.row[i].tally);
    share_diff_finish(c);
}

/* ---- --fail-if ---- */

static const struct share_diff_row *row_named(const struct share_diff *c, const char *name)
{
    for (size_t i = 0; i < c->rows; i++)
        if (!strcmp(c->row[i].name, name))
            return &c->row[i];
    return NULL;
}

static bool knows(const struct symbols *s, const char *name)
{
    for (size_t i = 0; s && i < s->count; i++)
        if (!strcmp(s->symbol[i].name, name) || !strcmp(symbols_display_name(&s->symbol[i]), name))
            return true;
    return false;
}

/* A function without hits has share 0, unless it shares a slot with others. */
static bool is_there(const struct run_input *s, const struct tally *t, const char *name)
{
    if (t && t->hits)
        return true;
    return !is_mixed(s) && (knows(s->naming.symbols.program.symbols, name) ||
                            knows(s->naming.symbols.image.symbols, name));
}

/* A name that one run does not know was misspelt or renamed: a condition on it would always hold. */
static bool can_judge(const struct arguments *a, const struct fail_condition *condition, const char *text,
                      const struct share_diff *c)
{
    const struct share_diff_row *row = condition->name ? row_named(c, condition->name) : NULL;
    bool there[2];

    /* Line numbers change between versions, and an inlined function has no symbol. */
    if (!condition->name || (row && (a->by == BREAKDOWN_LINE || strstr(row->name, " (in "))))
        return true;
    there[0] = is_there(&a->side[0], row ? &row->a : NULL, condition->name);
    there[1] = is_there(&a->side[1], row ? &row->b : NULL, condition->name);
    if (there[0] && there[1])
        return true;
    cli_error("--fail-if '%s' cannot be judged: no row and no symbol of %s has this name", text,
              there[0] ? a->side[1].path : there[1] ? a->side[0].path : "either run");
    return false;
}

/* Count the rows that meet one condition and print a message for each. */
static size_t judge(const struct fail_condition *condition, const char *text, const struct share_diff *c)
{
    size_t found = 0;

    for (size_t i = 0; i < c->rows; i++) {
        if (!fail_if_matches(condition, &c->row[i]))
            continue;
        cli_error("--fail-if '%s': %s differs by %+.2f points (%.2f %% to %.2f %%), p %.2g", text,
                  c->row[i].name, 100.0 * c->row[i].difference, diff_percent(&c->row[i].a),
                  diff_percent(&c->row[i].b), c->row[i].adjusted);
        found++;
    }
    return found;
}

/* A condition that cannot be tested must not count as one that does not hold. */
static bool fails(const struct arguments *a, const struct share_diff *c)
{
    size_t found = 0;

    if (a->fail_ifs && share_diff_reason(c)) {
        cli_error("--fail-if cannot be judged: %s", share_diff_reason(c));
        return true;
    }
    for (size_t i = 0; i < a->fail_ifs; i++)
        found += judge(&a->fail_if[i], a->fail_text[i], c) +
                 !can_judge(a, &a->fail_if[i], a->fail_text[i], c);
    return found;
}

static int report(struct arguments *a)
{
    struct share_diff c;
    int codes[2];
    bool failed;

    compare_sides(&c, &a->side[0], &a->side[1]);
    diff_view_print(&(struct diff_report){a->side, &c, a->by, a->min}, a->json);
    for (unsigned i = 0; i < 2; i++) {
        run_input_warn_unnamed(&a->side[i]);
        codes[i] = run_input_verdict(&a->side[i], a->request.strict);
    }
    failed = fails(a, &c);
    share_diff_free(&c);
    return failed ? EXIT_CHECK_FAILED : codes[0] > codes[1] ? codes[0] : codes[1];
}

/* The second run uses the selection of the first. */
static bool open_sides(struct arguments *a)
{
    struct run_selection again = a->request;

    if (!run_input_open(&a->side[0], &a->request, a->by))
        return false;
    again.task = a->side[0].profile.task;
    again.mode = a->side[0].profile.request.mode;
    if (!run_input_open(&a->side[1], &again, a->by))
        return false;
    return run_input_has_hits(a->side[0].path, &a->side[0].profile) ||
           run_input_has_hits(a->side[1].path, &a->side[1].profile);
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    const int code = open_sides(a) ? report(a) : EXIT_NO_DATA;

    for (size_t i = 0; i < a->fail_ifs; i++)
        fail_if_free(&a->fail_if[i]);
    free(a->fail_if);
    free(a->fail_text);
    run_input_free(&a->side[0]);
    run_input_free(&a->side[1]);
    return code;
}

const struct subcommand cmd_diff = {
    .name = "diff", .what = "compare two runs by function", .run = run_command,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.request.mode = MODES},
    .own = {options, &files}, .args_doc = "A B", .json = {&diff_object},
    .shared = {{&run_selection_options, offsetof(struct arguments, request)}},
    .doc = "Compare two runs by function: print the difference, its interval, and whether it is "
           "significant.\vRows are matched by name, so functions may have moved.  --fail-if matches only rows "
           "that differ significantly.",
    .example = {"cpuprobe diff before.dump after.dump", "cpuprobe diff --fail-if '+0.5' before.dump after.dump"},
};
