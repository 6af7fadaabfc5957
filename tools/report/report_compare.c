/* SPDX-License-Identifier: MIT */
/*
 * The tests are those of `cpuprobe diff` (tools/analysis/share_diff.h);
 * rows are matched by name, so that code may have moved.
 */
#include "tools/report/report_page.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"

#define SHOWN 400 /* rows at most, those that differ most */

#define SHARE_MEMBERS(M, O)                                                         \
    M(COUNT, hits, "samples in it")                                                 \
    M(REAL, percent, "their share, percent; null: the run has no samples")          \
    M(REAL, low, "lower end of its 95 % interval, percent; null: there is none")    \
    M(REAL, high, "upper end of its 95 % interval, percent; null: there is none")
REPORT_OBJECT(compare_share, SHARE_MEMBERS)

#define ROW_MEMBERS(M, O)                                                           \
    M(TEXT, name, "what the row is about")                                          \
    O(OBJECT, a, compare_share, "in the first run")                                 \
    O(OBJECT, b, compare_share, "in the second run")                                \
    M(REAL, difference, "second less first, points")                                \
    M(REAL, low, "lower end of its 95 % interval, points; null: there is none")     \
    M(REAL, high, "upper end of its 95 % interval, points; null: there is none")    \
    M(REAL, p, "probability of such a difference by chance, with Holm's correction over all rows") \
    M(FLAG, significant, "it differs, after that correction")
REPORT_OBJECT(compare_row, ROW_MEMBERS)

#define COMPARISON_MEMBERS(M, O)                                                    \
    M(TEXT, reason, "why there is no test; null: there is one")                     \
    M(COUNT, left_out, "rows that are left out, which differ least")                \
    O(LIST, rows, compare_row, "the rows, those that differ most first")
REPORT_OBJECT(comparison, COMPARISON_MEMBERS)

#define COMPARE_MEMBERS(M, O)                                                       \
    O(OBJECT, tasks, comparison, "the rows of the tables")                          \
    O(OBJECT_OR_NULL, functions, comparison, "functions by task and mode; null: one of the runs has no raw samples")
REPORT_SHARED(report_compare, COMPARE_MEMBERS)

static json_t *share_json(const struct share_diff_run *run, const struct tally *t)
{
    const bool known = !run->estimator.reason && t->samples;
    const struct confidence share = known ? share_diff_share(run, t, LEVEL_95) : (struct confidence){0.0, NAN, NAN};

    return REPORT_MAKE(compare_share, .hits = t->hits, .low = 100.0 * share.low, .high = 100.0 * share.high,
                       .percent = t->samples ? 100.0 * ((double)t->hits / (double)t->samples) : NAN);
}

static json_t *row_json(const struct share_diff *c, const struct share_diff_row *row)
{
    return REPORT_MAKE(compare_row, .name = row->name, .a = share_json(&c->a, &row->a),
                       .b = share_json(&c->b, &row->b), .difference = 100.0 * row->difference,
                       .low = 100.0 * row->low, .high = 100.0 * row->high, .p = row->adjusted,
                       .significant = row->significant);
}

static json_t *finish(struct share_diff *c)
{
    json_t *rows = json_array(), *all;

    share_diff_finish(c);
    for (size_t i = 0; i < c->rows && i < SHOWN; i++)
        json_array_append_new(rows, row_json(c, &c->row[i]));
    all = REPORT_MAKE(comparison, .reason = share_diff_reason(c), .left_out = c->rows > SHOWN ? c->rows - SHOWN : 0,
                      .rows = rows);
    share_diff_free(c);
    return all;
}

/* ---- the rows of the tables ---- */

static struct share_diff_run run_of_table(const struct stat_report *s)
{
    const struct snapshot *table = s->epoch->snapshot;

    return (struct share_diff_run){.estimator = s->options->estimator, .samples = table ? table->samples : 0};
}

static void add_table(struct share_diff *c, const struct snapshot *s, bool second)
{
    for (uint32_t i = 0; s && i < s->rows; i++) {
        struct share_diff_row *row = share_diff_add(c, s->row[i].name);
        struct tally *to = second ? &row->b : &row->a;

        to->hits += s->row[i].total;
        to->changes += s->row[i].total_changes;
    }
}

static json_t *compare_tables(const struct stat_report *a, const struct stat_report *b)
{
    struct share_diff c = {.a = run_of_table(a), .b = run_of_table(b)};

    add_table(&c, a->epoch->snapshot, false);
    add_table(&c, b->epoch->snapshot, true);
    return finish(&c);
}

/* ---- functions ---- */

static void add_functions(struct share_diff *c, char ***names, size_t *count, const struct code_tree *t, bool second)
{
    for (size_t i = 0; i < t->nodes; i++) {
        const struct code_node *f = &t->node[i], *mode = &t->node[f->parent], *task = &t->node[mode->parent];
        struct share_diff_row *row;
        struct tally *to;

        if (f->level != CODE_FUNCTION)
            continue;
        GROW(*names, *count);
        (*names)[*count] = xasprintf("%s %s: %s", task->name, mode->name, f->name);
        row = share_diff_add(c, (*names)[(*count)++]);
        to = second ? &row->b : &row->a;
        to->hits += f->tally.hits;
        to->changes += f->tally.changes; /* an upper bound where one name is in two files */
    }
}

static json_t *compare_functions(const struct code_tree *a, const struct code_tree *b)
{
    struct share_diff c = {.a = {a->estimator, a->samples, a->unknown}, .b = {b->estimator, b->samples, b->unknown}};
    char **names = NULL;
    size_t count = 0;
    json_t *all;

    add_functions(&c, &names, &count, a, false);
    add_functions(&c, &names, &count, b, true);
    all = finish(&c);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return all;
}

json_t *report_compare_json(const struct report_side *a, const struct report_side *b)
{
    return REPORT_MAKE(report_compare, .tasks = compare_tables(a->stat, b->stat),
                       .functions = a->code && b->code ? compare_functions(a->code, b->code) : NULL);
}
