/* SPDX-License-Identifier: MIT */
/* Makes JSON of two runs: shares and differences in percent and points. */
#include "tools/json/diff_json.h"

#include <math.h>

#include "tools/base/json_value.h"

static double percent(const struct tally *t)
{
    return t->samples ? 100.0 * (double)t->hits / (double)t->samples : NAN;
}

#define SHARE_MEMBERS(M, O)                                                         \
    M(COUNT, hits, "samples in it")                                                 \
    M(REAL, percent, "their share, percent; null: the run has no samples")
REPORT_OBJECT(share, SHARE_MEMBERS)

#define RUN_MEMBERS(M, O)                                                           \
    M(TEXT, file, "name of its file")                                               \
    M(TEXT, task, "the task that is compared; null: any")                           \
    M(TEXT, mode, "the mode that is compared; null: all")                           \
    M(COUNT, samples, "all samples of the run")                                     \
    SHARE_MEMBERS(M, O)                                                             \
    M(COUNT, below, "hits below the selected addresses")                            \
    M(COUNT, above, "hits above the selected addresses")                            \
    M(COUNT, unresolved, "samples without a known place: any row may have them")    \
    M(TEXT, interval_reason, "why nothing is tested; null: it is")
REPORT_OBJECT(run, RUN_MEMBERS)

#define ROW_MEMBERS(M, O)                                                           \
    M(TEXT, name, "name of the function, or of the line; null: the total")          \
    O(OBJECT, a, share, "in the first run")                                         \
    O(OBJECT, b, share, "in the second run")                                        \
    M(REAL, difference, "share in B less share in A, points")                       \
    M(REAL, low, "lower end of its 95 % interval, points; null: there is none")     \
    M(REAL, high, "upper end of its 95 % interval, points; null: there is none")    \
    M(REAL, p, "probability of such a difference without a cause, two-sided; null: not tested") \
    M(REAL, adjusted, "the same after Holm's correction over all rows; null: not tested") \
    M(FLAG_OR_NULL, significant, "it differs, after that correction; null: not tested")
REPORT_OBJECT(row, ROW_MEMBERS)

static const char *const by[] = {"function", "line", NULL};

#define DIFF_MEMBERS(M, O)                                                          \
    O(WORD, by, by, "what a row is")                                                \
    O(LIST, runs, run, "A, then B")                                                 \
    O(LIST, rows, row, "the largest difference first")                              \
    M(COUNT, hidden, "rows with fewer hits than --min")                             \
    O(OBJECT, total, row, "the selection as a whole: it is not tested")             \
    M(COUNT, tests, "rows that were tested together")                               \
    M(REAL, family_percent, "chance that any row of two equal runs is called significant, percent") \
    M(TEXT, interval_reason, "why nothing is tested; null: it is")
REPORT_WHOLE(diff, "cpuprobe-diff-1", DIFF_MEMBERS)

static json_t *share(const struct tally *t)
{
    return REPORT_MAKE(share, .hits = t->hits, .percent = percent(t));
}

static json_t *run(const struct run_input *s)
{
    const struct profile *p = &s->profile;
    const struct profile_request *q = &p->request;

    return REPORT_MAKE(run, .file = s->path, .task = q->task == ROW_ANY ? NULL : p->task,
                       .mode = q->all_modes ? NULL : mode_name(q->mode), .samples = p->samples,
                       .hits = p->active.hits, .percent = percent(&p->active), .below = p->below, .above = p->above,
                       .unresolved = p->unresolved, .interval_reason = p->estimator.reason);
}

/* `tested`: the row has a p. */
static json_t *row(const struct share_diff_row *r, const char *name, bool tested)
{
    const bool known = tested && !isnan(r->adjusted);

    return REPORT_MAKE(row, .name = name, .a = share(&r->a), .b = share(&r->b), .difference = 100.0 * r->difference,
                       .low = 100.0 * r->low, .high = 100.0 * r->high, .p = known ? r->p : NAN,
                       .adjusted = known ? r->adjusted : NAN, .significant = REPORT_KNOWN_IF(known, r->significant));
}

static json_t *rows(const struct diff_report *r, uint64_t *hidden)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->diff->rows; i++) {
        const struct share_diff_row *const from = &r->diff->row[i];

        if (from->a.hits + from->b.hits >= r->min)
            json_array_append_new(list, row(from, from->name, true));
        else
            ++*hidden;
    }
    return list;
}

json_t *diff_json(const struct diff_report *r)
{
    struct share_diff_row all = {.a = r->side[0].profile.active, .b = r->side[1].profile.active};
    uint64_t hidden = 0;
    json_t *list = rows(r, &hidden);

    share_diff_row(r->diff, &all);
    return REPORT_MAKE(diff, .by = by[r->by == BREAKDOWN_LINE],
                       .runs = json_pack("[oo]", run(&r->side[0]), run(&r->side[1])), .rows = list, .hidden = hidden,
                       .total = row(&all, NULL, false), .tests = r->diff->rows,
                       .family_percent = 100.0 * SHARE_DIFF_FAMILY, .interval_reason = share_diff_reason(r->diff));
}
