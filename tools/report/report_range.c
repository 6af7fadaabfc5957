/* SPDX-License-Identifier: MIT */
/*
 * Counts the samples of each node by time.  Each has a text of its counts, written while the samples are read in the
 * order of time; where all texts together become too long, columns are joined by two, so that an hour takes no more
 * room than a second.
 */
#include "tools/report/report_page.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/timeline/epoch_pass.h"

#define COLUMNS  1024u /* at first */
#define BYTES    (512u * 1024)
#define LEAST    16u   /* columns: 12000 nodes with a hit in each of so many are within the limit of a page */
#define FEW      50u   /* hits with limits of their own, as few_hits() has them */
#define FREEDOMS 30u   /* with a value of t of their own */

/* The counts of a node that are not in its text yet are those of one column. */
struct counts {
    struct digits digits;
    uint32_t column, next; /* next: the one after the last that is in the text */
    uint64_t hits, changes;
    bool counted; /* it is shown, and has other counts than its parent */
};

struct by_time {
    struct code_tree *tree;
    struct counts *of; /* by node */
    size_t bytes;      /* of all texts */
    uint64_t begin, end, width; /* clock units */
    uint32_t columns, at;
    uint64_t samples[COLUMNS], unknown[COLUMNS];
    const struct code_node *before; /* of the sample before, NULL: not known */
    uint64_t lost;     /* samples, between that one and the next */
    bool cut, begun;
};

/* ---- texts ---- */

void report_digits_put(struct digits *d, uint64_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (; n >= 32; n >>= 5)
        APPEND(d->text, d->length, digit[32 | (n & 31)]);
    APPEND(d->text, d->length, digit[n]);
}

static uint64_t get_number(const char **at)
{
    uint64_t n = 0;

    for (unsigned shift = 0;; shift += 5) {
        const char c = *(*at)++;
        const unsigned d = c >= 'a' ? (unsigned)(c - 'a') + 26 : c >= 'A' ? (unsigned)(c - 'A') :
                           c >= '0' ? (unsigned)(c - '0') + 52 : c == '+' ? 62 : 63;

        n |= (uint64_t)(d & 31) << shift;
        if (d < 32)
            return n;
    }
}

static void flush(struct by_time *r, struct counts *c)
{
    const size_t before = c->digits.length;

    if (!c->hits && !c->changes)
        return;
    report_digits_put(&c->digits, c->column - c->next);
    report_digits_put(&c->digits, c->hits);
    report_digits_put(&c->digits, c->changes);
    r->bytes += c->digits.length - before;
    c->next = c->column + 1;
    c->hits = c->changes = 0;
}

static void count(struct by_time *r, struct counts *c, uint32_t column, uint64_t hits, uint64_t changes)
{
    if (c->column != column)
        flush(r, c);
    c->column = column;
    c->hits += hits;
    c->changes += changes;
}

/* The text of a node anew, for columns twice as wide. */
static void join_text(struct by_time *r, struct counts *c)
{
    struct counts wide = {.counted = c->counted};
    const char *at;

    flush(r, c);
    at = c->digits.text;
    for (uint64_t column = 0; at && at < c->digits.text + c->digits.length; column++) {
        uint64_t hits;

        column += get_number(&at);
        hits = get_number(&at);
        count(r, &wide, (uint32_t)(column / 2), hits, get_number(&at));
    }
    r->bytes -= c->digits.length;
    free(c->digits.text);
    *c = wide;
}

static void join_columns(struct by_time *r)
{
    for (size_t i = 0; i < r->tree->nodes; i++)
        join_text(r, &r->of[i]);
    for (uint32_t c = 0; c < r->columns; c++) {
        const uint64_t samples = r->samples[c], unknown = r->unknown[c];

        r->samples[c] = r->unknown[c] = 0;
        r->samples[c / 2] += samples;
        r->unknown[c / 2] += unknown;
    }
    r->columns = (r->columns + 1) / 2;
    r->width *= 2;
    r->at /= 2;
}

/* ---- samples ---- */

static void touch(struct by_time *r, const struct code_node *n, uint64_t hits, uint64_t changes)
{
    struct counts *const c = &r->of[n - r->tree->node];

    if (c->counted)
        count(r, c, r->at, hits, changes);
}

/* Nodes that only one of two samples of a pair is in; leaves are at one depth. */
static void add_pair(struct by_time *r, const struct code_node *one, const struct code_node *other)
{
    const struct code_node *const all = r->tree->node;

    for (; one != other; one = &all[one->parent], other = &all[other->parent]) {
        touch(r, one, 0, 1);
        touch(r, other, 0, 1);
    }
}

/* Samples that did not arrive were at any time between the one before and the next. */
static void add_lost(struct by_time *r, uint32_t from, uint32_t to)
{
    const uint64_t parts = to - from + 1;

    for (uint32_t c = from; c <= to; c++) {
        const uint64_t part = r->lost / parts + (c - from < r->lost % parts);

        r->samples[c] += part;
        r->unknown[c] += part;
    }
    r->lost = 0;
}

static void add_sample(void *context, const struct resolved_sample *s)
{
    struct by_time *r = context;
    const struct code_node *const leaf = code_tree_leaf(r->tree, &s->place);
    const uint32_t column = s->time > r->begin ? (uint32_t)((s->time - r->begin) / r->width) : 0;

    if (column >= r->columns)
        return;
    add_lost(r, r->begun ? r->at : column, column);
    r->begun = true;
    r->at = column;
    r->samples[column]++;
    r->unknown[column] += !leaf;
    for (const struct code_node *n = leaf; n && n->level; n = &r->tree->node[n->parent])
        touch(r, n, 1, 0);
    if (leaf && r->before && s->pair && s->follows)
        add_pair(r, r->before, leaf);
    r->before = leaf;
    while (r->bytes > BYTES && r->columns > LEAST)
        join_columns(r);
}

/* What was before the begin of what is kept is nobody's loss. */
static void add_gap(void *context, const struct sample_gap *gap)
{
    struct by_time *r = context;

    r->lost += gap->first || !r->cut ? gap->count : 0;
}

/* A node with all samples of its parent has its counts. */
static bool is_only(const struct code_tree *t, size_t node)
{
    const struct code_node *const n = &t->node[node];

    return n->level > CODE_TASK && n->tally.hits == t->node[n->parent].tally.hits;
}

/* False: there is nothing to make it of. */
static bool fill(struct by_time *r, const struct report_run *run)
{
    const struct samples *s = run->epoch->samples;
    const uint64_t least = report_code_least(r->tree);
    struct epoch_pass *p;

    if (!run->again || !s->timed || s->first_time > s->last_time || s->last_time >= INT64_MAX ||
        !run->epoch->hello.clock_hz)
        return false;
    p = epoch_pass_open(run->again, run->epoch->number);
    if (!p)
        return false;
    r->begin = s->first_time;
    r->end = s->last_time + 1;
    r->width = (r->end - r->begin + COLUMNS - 1) / COLUMNS;
    r->columns = (uint32_t)((r->end - r->begin + r->width - 1) / r->width);
    r->of = xcalloc(r->tree->nodes, sizeof(*r->of));
    for (size_t i = 0; i < r->tree->nodes; i++)
        r->of[i].counted = r->tree->node[i].tally.hits >= least && !is_only(r->tree, i);
    epoch_pass_run(p, &(struct epoch_sink){.context = r, .on_sample = add_sample, .on_lost = add_gap});
    epoch_pass_close(p);
    add_lost(r, r->at, r->at);
    return true;
}

/* ---- JSON ---- */

static const char *const pairing_name[] = {
    [PAIR_NEVER] = "never", [PAIR_EACH] = "each", [PAIR_STRATUM] = "stratum", NULL,
};

#define NO_RANGE_MEMBERS(M, O) M(WORD, reason, "why nothing is told by time")
REPORT_OBJECT(no_range, NO_RANGE_MEMBERS)

#define RANGE_MEMBERS(M, O)                                                         \
    M(TEXT, reason, "null: there are counts")                                       \
    M(REAL, begin, "begin of the first column, s since the image started")          \
    M(REAL, end, "end of the last column, s")                                       \
    M(REAL, width, "of a column, s; the last may be shorter")                       \
    M(COUNTS, samples, "by column, that were taken")                                \
    M(COUNTS, unknown, "by column, of these without a known place")                 \
    O(WORD, pairing, pairing_name, "which samples the schedule makes pairs")        \
    M(REAL, cv2, "part of the design effect that pairs do not show")                \
    M(REAL, bias, "part of the time that handlers may move any share by: intervals have room for it") \
    M(TEXT, interval_reason, "why there are no intervals; null: there are")         \
    M(COUNTS, tasks, "row id of each task of `nodes` of the code, in their order")  \
    M(TEXTS, nodes, "by node of the code, empty where it has as many samples as its parent, and its counts: " \
                    "for each column with any, columns without any before it, samples, and "                 \
                    "pairs of which one is in the node; each number in digits A-Z a-z 0-9 + / of 5 bits, the " \
                    "lowest first, with 32 added where a digit follows")
REPORT_OBJECT(range, RANGE_MEMBERS)
REPORT_EITHER(report_range, &no_range_object, &range_object)

/* A text for each node that is shown, and the tasks among them. */
static json_t *texts_json(struct by_time *r, json_t *tasks)
{
    const uint64_t least = report_code_least(r->tree);
    json_t *array = json_array();

    for (size_t i = 0; i < r->tree->nodes; i++) {
        struct counts *const c = &r->of[i];

        flush(r, c);
        if (r->tree->node[i].tally.hits >= least)
            json_array_append_new(array, json_stringn(c->digits.text ? c->digits.text : "", c->digits.length));
        if (r->tree->node[i].tally.hits >= least && r->tree->node[i].level == CODE_TASK)
            json_array_append_new(tasks, json_count(r->tree->node[i].task));
        free(c->digits.text);
    }
    free(r->of);
    return array;
}

json_t *report_range_json(const struct report_run *run, struct code_tree *t)
{
    struct by_time r = {.tree = t, .cut = run->cut};
    const double hz = (double)run->epoch->hello.clock_hz;
    json_t *tasks, *texts;

    if (!t || !fill(&r, run))
        return REPORT_MAKE(no_range, "the run has no raw samples with times");
    tasks = json_array();
    texts = texts_json(&r, tasks);
    return REPORT_MAKE(range, .begin = (double)r.begin / hz, .end = (double)r.end / hz, .width = (double)r.width / hz,
                       .samples = json_counts(r.samples, r.columns), .unknown = json_counts(r.unknown, r.columns),
                       .pairing = pairing_name[t->estimator.pairing], .cv2 = t->estimator.cv2,
                       .bias = t->estimator.bias, .interval_reason = t->estimator.reason, .tasks = tasks,
                       .nodes = texts);
}

#define LIMITS_MEMBERS(M, O)                                                        \
    M(REAL, normal, "deviate of 95 %")                                              \
    M(REALS, student, "the same of Student's t, from one degree of freedom on")     \
    M(REALS, low, "least mean of a Poisson count by hits, from 0 on")               \
    M(REALS, high, "the largest one")
REPORT_SHARED(report_limits, LIMITS_MEMBERS)

/* Limits of so many hits, times 10^5: the last of the table is found from those that are half before it. */
static double limit(unsigned hits, bool high)
{
    const double samples = 1 << 20, at = hits < FEW ? hits : FEW - 0.5;
    const struct confidence i = few_hits_limits(at, samples, LEVEL_95);
    const double found = samples * (high ? i.high : i.low);
    const double whole = hits < FEW ? found : 2 * found - limit(FEW - 1, high);

    return round(1e5 * whole) / 1e5;
}

json_t *report_limits_json(void)
{
    double student[FREEDOMS], low[FEW + 1], high[FEW + 1];

    for (unsigned f = 0; f < FREEDOMS; f++)
        student[f] = confidence_t(LEVEL_95, f + 1);
    for (unsigned hits = 0; hits <= FEW; hits++) {
        low[hits] = limit(hits, false);
        high[hits] = limit(hits, true);
    }
    return REPORT_MAKE(report_limits, .normal = confidence_t(LEVEL_95, UINT64_MAX),
                       .student = json_reals(student, FREEDOMS),
                       .low = json_reals(low, FEW + 1), .high = json_reals(high, FEW + 1));
}
