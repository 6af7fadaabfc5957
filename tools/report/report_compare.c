/* SPDX-License-Identifier: MIT */
/*
 * The tests are those of `cpuprobe diff` (tools/analysis/share_diff.h);
 * rows are matched by name, so that code may have moved.
 */
#include "tools/report/report_page.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

#define SHOWN 400  /* rows at most, those that differ most */
#define TREE  4000 /* nodes at most */

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

#define NODE_MEMBERS(M, O)                                                          \
    M(TEXT, name, "name of the node")                                               \
    M(COUNT, parent, "index of its parent, which stands before it")                 \
    M(COUNT, level, "0 the run, 1 a task, 2 a mode, 3 a function")                  \
    M(REAL, a, "its share in the first run, percent")                               \
    M(REAL, b, "in the second run, percent")                                        \
    M(REAL, difference, "second less first, points")                                \
    M(REAL, low, "lower end of its 95 % interval, points; null: there is none")     \
    M(REAL, high, "upper end of its 95 % interval, points; null: there is none")    \
    M(FLAG, significant, "it differs, by Holm's correction over all of its level")
REPORT_TUPLE(compared_node, NODE_MEMBERS)

#define COMPARE_MEMBERS(M, O)                                                       \
    O(OBJECT, tasks, comparison, "the rows of the tables")                          \
    O(OBJECT_OR_NULL, functions, comparison, "functions by task and mode; null: one of the runs has no raw samples") \
    O(LIST_OR_NULL, tree, compared_node, "tasks, modes and functions of both runs; null: likewise")
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

/* Of rows that share_diff_finish() has seen, which go. */
static json_t *comparison_json(struct share_diff *c)
{
    json_t *rows = json_array(), *all;

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
    share_diff_finish(&c);
    return comparison_json(&c);
}

/* ---- code ---- */

/* A task, mode or function of either run: of one name below one parent. */
struct node {
    const char *name; /* of one of the trees */
    uint32_t parent;
    enum code_level level;
    struct share_diff_row row;
};

struct merged {
    struct node *node; /* parents before their children; 0 is the run */
    size_t nodes;
    struct index node_of;
    struct share_diff_run a, b;
};

/* A name with the node that it is of. */
struct named {
    uint32_t node;
    char text[];
};

static uint32_t node_for(struct merged *m, uint32_t parent, const struct code_node *of)
{
    char *const key = xasprintf("%d %" PRIu32 " %s", of->level, parent, of->name);
    const struct node fresh = {.name = of->name, .parent = parent, .level = of->level,
                               .row = {.a.samples = m->a.samples, .b.samples = m->b.samples}};
    const struct node *const found = INDEX_ROW(&m->node_of, index_key(key, strlen(key)), m->node, m->nodes, &fresh);

    free(key);
    return (uint32_t)(found - m->node);
}

static void merge(struct merged *m, const struct code_tree *t, bool second)
{
    uint32_t *at = xcalloc(t->nodes, sizeof(*at));

    for (size_t i = 0; i < t->nodes; i++) {
        const struct code_node *const n = &t->node[i];
        struct tally *to;

        if (n->level > CODE_FUNCTION)
            continue;
        at[i] = node_for(m, at[n->parent], n);
        to = second ? &m->node[at[i]].row.b : &m->node[at[i]].row.a;
        to->hits += n->tally.hits;
        to->changes += n->tally.changes; /* an upper bound where one name is in two files */
    }
    free(at);
}

static const char *full_name(const struct merged *m, uint32_t number)
{
    const struct node *const n = &m->node[number], *const above = &m->node[n->parent];
    char *const text = n->level < CODE_MODE ? xasprintf("%s", n->name) :
                       n->level < CODE_FUNCTION ? xasprintf("%s %s", above->name, n->name) :
                       xasprintf("%s %s: %s", m->node[above->parent].name, above->name, n->name);
    struct named *const to = xcalloc(1, sizeof(*to) + strlen(text) + 1);

    to->node = number;
    strcpy(to->text, text);
    free(text);
    return to->text;
}

static struct named *named_of(const struct share_diff_row *row)
{
    return (struct named *)(row->name - offsetof(struct named, text));
}

/* All nodes of a level are one family of tests, so that functions have the verdict of their list. */
static json_t *compare_level(struct merged *m, enum code_level level)
{
    struct share_diff c = {.a = m->a, .b = m->b};
    struct named **name = NULL;
    size_t names = 0;
    json_t *all;

    for (uint32_t i = 0; i < m->nodes; i++)
        if (m->node[i].level == level) {
            APPEND(c.row, c.rows, m->node[i].row);
            c.row[c.rows - 1].name = full_name(m, i);
        }
    share_diff_finish(&c);
    for (size_t i = 0; i < c.rows; i++) {
        APPEND(name, names, named_of(&c.row[i]));
        m->node[name[i]->node].row = c.row[i];
    }
    all = comparison_json(&c);
    for (size_t i = 0; i < names; i++)
        free(name[i]);
    free(name);
    return all;
}

static void make_merged(struct merged *m, const struct code_tree *a, const struct code_tree *b)
{
    *m = (struct merged){.a = {a->estimator, a->samples, a->unknown}, .b = {b->estimator, b->samples, b->unknown}};
    merge(m, a, false);
    merge(m, b, true);
    json_decref(compare_level(m, CODE_RUN));
    json_decref(compare_level(m, CODE_TASK));
    json_decref(compare_level(m, CODE_MODE));
}

/* Percent with four decimals: more digits say nothing of a share. */
static double percent(double share)
{
    return round(1e6 * share) / 1e4;
}

static double share_of(const struct tally *t)
{
    return t->samples ? (double)t->hits / (double)t->samples : NAN;
}

static uint64_t hits_of(const struct node *n)
{
    return n->row.a.hits + n->row.b.hits;
}

static int by_hits(const void *left, const void *right)
{
    const uint64_t a = hits_of(left), b = hits_of(right);

    return (a < b) - (a > b);
}

/* The fewest samples of a node that is shown: a node has no more than its parent. */
static uint64_t least_hits(const struct merged *m)
{
    struct node *const sorted = xrealloc_array(NULL, m->nodes, sizeof(*sorted));
    uint64_t least;

    memcpy(sorted, m->node, m->nodes * sizeof(*sorted));
    qsort(sorted, m->nodes, sizeof(*sorted), by_hits);
    least = m->nodes > TREE ? hits_of(&sorted[TREE]) + 1 : 0;
    free(sorted);
    return least;
}

static json_t *tree_json(const struct merged *m)
{
    const uint64_t least = least_hits(m);
    uint32_t *number = xcalloc(m->nodes, sizeof(*number)), count = 0;
    json_t *array = json_array();

    for (size_t i = 0; i < m->nodes; i++) {
        const struct node *const n = &m->node[i];

        if (hits_of(n) < least)
            continue;
        number[i] = count++;
        REPORT_ADD(array, compared_node, .name = n->name, .parent = number[n->parent], .level = n->level,
                   .a = percent(share_of(&n->row.a)), .b = percent(share_of(&n->row.b)),
                   .difference = percent(n->row.difference), .low = percent(n->row.low),
                   .high = percent(n->row.high), .significant = n->row.significant);
    }
    free(number);
    return array;
}

json_t *report_compare_json(const struct report_side *a, const struct report_side *b)
{
    json_t *functions = NULL, *tree = NULL;
    struct merged m;

    if (a->code && b->code) {
        make_merged(&m, a->code, b->code);
        functions = compare_level(&m, CODE_FUNCTION);
        tree = tree_json(&m);
        index_free(&m.node_of);
        free(m.node);
    }
    return REPORT_MAKE(report_compare, .tasks = compare_tables(a->stat, b->stat), .functions = functions,
                       .tree = tree);
}
