/* SPDX-License-Identifier: MIT */
/* Prints two runs by function or line: as text, a line each, those of both runs before; and as JSON. */
#include "tools/view/diff_view.h"

#include <inttypes.h>
#include <math.h>

#include "tools/analysis/share_diff.h"
#include "tools/base/saturate.h"
#include "tools/json/report_json.h"

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
    return REPORT_MAKE(share, .hits = t->hits, .percent = percent_of((double)t->hits, (double)t->samples));
}

static json_t *run(const struct run_input *s)
{
    const struct profile *p = &s->profile;
    const struct profile_request *q = &p->request;

    return REPORT_MAKE(run, .file = s->path, .task = q->task == ROW_ANY ? NULL : p->task,
                       .mode = q->all_modes ? NULL : mode_name(q->mode), .samples = p->samples,
                       .hits = p->active.hits,
                       .percent = percent_of((double)p->active.hits, (double)p->active.samples), .below = p->below,
                       .above = p->above, .unresolved = p->unresolved, .interval_reason = p->estimator.reason);
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

static json_t *diff_json(const struct diff_report *r)
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

#define NAME_WIDTH 30 /* as in the template */

double diff_percent(const struct tally *t)
{
    return percent_or((double)t->hits, (double)t->samples, 0.0);
}

static void print_run(char letter, const struct run_input *s)
{
    const struct tally *t = &s->profile.active;

    printf("%c  %s\n   %s: %" PRIu64 " of %" PRIu64 " samples (%.2f %%)\n", letter, s->path,
           run_input_label(s), t->hits, s->profile.samples, diff_percent(t));
    if (s->profile.below || s->profile.above)
        printf("   %" PRIu64 " of them below these addresses, %" PRIu64 " above\n",
               s->profile.below, s->profile.above);
    if (s->profile.unresolved)
        printf("   %" PRIu64 " samples have no known place: any row may own them\n",
               s->profile.unresolved);
}

/* What both kinds of rows have behind the name. */
#define ROW(of)                                                                                         \
    " {" of "a.percent|6.2f|0.00} {" of "b.percent|6.2f|0.00} {" of "difference|+7.2f}"                 \
    "[" of "low!     n.a.][" of "low?  {" of "low|+7.2f} {" of "high|+7.2f}]"
#define RULE "                       ====== ====== =======  ======= ======= ======\n"

/* A name is never cut, since --fail-if needs the whole name. */
static const char text[] =
    "\n[by=function?Function][by=line?Line    ]                          A %    B %   B - A  95 %            p\n"
    "========" RULE
    "[rows:[long?{name}\n                              ][long!{name|-30s}]" ROW("")
    "[adjusted?[adjusted*10000-1? {adjusted|6.4f}][adjusted*10000-1! <.0001]][significant? *]\n]"
    "[hidden?({hidden} rows of fewer than {min} hits)\n]========" RULE
    "the task in all               " ROW("total.") "\n\n"
    "[verdict?{verdict}\n\n]"
    "[interval_reason?95 % n.a.: {interval_reason}; no difference is called significant.\n]"
    "[interval_reason!Percents are of all samples.  95 %: Newcombe's interval, of one row for itself.\n"
    "p: two-sided, each run's own design variance (not pooled), Student's t by the\n"
    "number of pairs; with fewer than {few} hits Fisher's exact test.  Holm's correction\n"
    "over all rows ({tests}): * is significant, family-wise {family_percent|.0f} %.\n]";

/* How many rows differ, and which one the most: they come sorted; NULL: nothing was tested. */
static json_t *verdict(const struct diff_report *r)
{
    const char *const what = by[r->by == BREAKDOWN_LINE];
    const struct share_diff_row *most = NULL;
    size_t differ = 0;

    for (size_t i = 0; i < r->diff->rows; i++) {
        differ += r->diff->row[i].significant;
        most = !most && r->diff->row[i].significant ? &r->diff->row[i] : most;
    }
    if (share_diff_reason(r->diff))
        return json_null();
    if (!most)
        return json_sprintf("No %s's share of the time differs by more than chance.", what);
    return json_sprintf("%zu of %zu %ss differ; %s the most, from %.2f to %.2f %%.", differ, r->diff->rows, what,
                        most->name, diff_percent(&most->a), diff_percent(&most->b));
}

void diff_view_print(const struct diff_report *r, bool as_json)
{
    json_t *const whole = diff_json(r), *row;
    size_t i;

    if (!as_json) {
        print_run('A', &r->side[0]);
        print_run('B', &r->side[1]);
        json_array_foreach(json_object_get(whole, "rows"), i, row)
            json_object_set_new(row, "long",
                                json_boolean(json_string_length(json_object_get(row, "name")) > NAME_WIDTH));
        json_object_update_new(whole, json_pack("{so si so}", "min", json_count(r->min), "few", SHARE_DIFF_FEW,
                                                "verdict", verdict(r)));
    }
    report_print(whole, text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
