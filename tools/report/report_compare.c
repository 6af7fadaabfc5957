/* SPDX-License-Identifier: MIT */
/* The tests are those of `cpuprobe diff` (tools/analysis/share_diff.h); rows are matched by name, so that code may have moved. */
#include "tools/report/report_compare.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"
#include "tools/base/json_value.h"

#define SHOWN 400 /* rows at most, those that differ most */

static json_t *points(double share)
{
    return json_finite(100.0 * share);
}

static json_t *share_json(const struct share_diff_run *run, const struct tally *t)
{
    const bool known = !run->estimator.reason && t->samples;
    const struct confidence share = known ? share_diff_share(run, t, LEVEL_95) : (struct confidence){0.0, NAN, NAN};

    return json_pack("{s:o, s:o, s:o, s:o}", "hits", json_count(t->hits), "percent",
                     t->samples ? points((double)t->hits / (double)t->samples) : json_null(), "low", points(share.low), "high", points(share.high));
}

static json_t *row_json(const struct share_diff *c, const struct share_diff_row *row)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "name", json_text_or_null(row->name), "a", share_json(&c->a, &row->a),
                     "b", share_json(&c->b, &row->b), "difference", points(row->difference), "low", points(row->low), "high", points(row->high),
                     "p", json_finite(row->adjusted), "significant", row->significant);
}

static json_t *finish(struct share_diff *c)
{
    json_t *rows = json_array(), *all;

    share_diff_finish(c);
    for (size_t i = 0; i < c->rows && i < SHOWN; i++)
        json_array_append_new(rows, row_json(c, &c->row[i]));
    all = json_pack("{s:o, s:o, s:o}", "reason", json_text_or_null(share_diff_reason(c)), "left_out",
                    json_count(c->rows > SHOWN ? c->rows - SHOWN : 0), "rows", rows);
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
    return json_pack("{s:o, s:o}", "tasks", compare_tables(a->stat, b->stat), "functions",
                     a->code && b->code ? compare_functions(a->code, b->code) : json_null());
}
