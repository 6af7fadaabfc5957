/* SPDX-License-Identifier: MIT */
/* Makes the JSON of a profile: rows of slots or of a breakdown. */
#include "tools/view/histogram_json.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/saturate.h"

const char *const histogram_found[] = {"range", "slot", "functions", "function", "instruction", "address", NULL};
REPORT_DEFINE(histogram_row, HISTOGRAM_ROW_MEMBERS)
REPORT_OBJECT(share, HISTOGRAM_SHARE_MEMBERS)

/* enum histogram_by */
static const char *const by_words[] = {"slot", "function", "line", "instruction", "step", NULL};

#define HISTOGRAM_MEMBERS(M, O)                                                     \
    O(WORD, by, by_words, "what a row is; step: one of --zoom, in its order")       \
    M(TEXT, task, "name of the task; null: any")                                    \
    M(TEXT, mode, "null: all")                                                      \
    M(COUNT, samples, "all samples of the run")                                     \
    O(OBJECT, active, share, "the task in the mode, anywhere")                      \
    M(COUNT, below, "hits below the selected addresses")                            \
    M(COUNT, above, "hits above them")                                              \
    M(COUNT, unresolved, "samples without a known place")                           \
    M(FLAG, masked_seen, "the ticks also saw code with interrupts off")             \
    M(COUNT_OR_NULL, slot, "bytes of a slot; null: single addresses")               \
    HISTOGRAM_INTERVAL_MEMBERS(M, O)                                                \
    O(LIST, rows, histogram_row, "most hits first; slots and instructions by address")
REPORT_WHOLE(histogram, "cpuprobe-histogram-1", HISTOGRAM_MEMBERS)

static struct histogram_rule rule_of(const struct histogram_view *v)
{
    return (struct histogram_rule){v->profile->estimator, v->wald, v->profile->samples, v->profile->unresolved};
}

struct histogram_row_value histogram_row(const struct histogram_view *v, const struct tally *t, uint64_t start,
                                         uint64_t end)
{
    const struct histogram_rule rule = rule_of(v);
    const struct histogram_range range = histogram_range(&rule, t->hits, t->changes);
    const bool has = !histogram_interval_reason(v);
    const double n = (double)rule.samples;

    return (struct histogram_row_value){
        .hits = t->hits, .changes = t->changes, .percent = percent_of((double)t->hits, n),
        .low = has ? percent_of(range.low, n) : NAN, .high = has ? percent_of(range.high, n) : NAN,
        .start = start, .end = end,
    };
}

static json_t *slots(const struct histogram_view *v, uint64_t low, uint64_t high, uint64_t *size)
{
    struct histogram_slot *slot = xrealloc_array(NULL, v->profile->atoms + 1, sizeof(*slot));
    const struct histogram h = view_slots_of(v, low, high, slot);
    json_t *list = json_array();

    for (size_t i = 0; i < h.count; i++)
        if (slot[i].hits >= v->min) {
            const struct tally t = {.hits = slot[i].hits, .changes = slot[i].changes};
            const struct histogram_row_value row = histogram_row(v, &t, slot[i].address, slot[i].address + h.slot);

            json_array_append_new(list, report_object_make(&histogram_row_object, &row));
        }
    *size = h.slot;
    free(slot);
    return list;
}

static json_t *breakdown(const struct histogram_view *v, enum breakdown_by by)
{
    struct breakdown b;
    json_t *list;

    if (!breakdown_make(&b, v->profile, v->symbols, by))
        return NULL;
    list = json_array();
    for (size_t i = 0; i < b.rows; i++)
        if (b.row[i].tally.hits >= v->min) {
            struct histogram_row_value row = histogram_row(v, &b.row[i].tally, b.row[i].start, b.row[i].end);

            row.name = b.row[i].name;
            row.code = b.row[i].text;
            json_array_append_new(list, report_object_make(&histogram_row_object, &row));
        }
    breakdown_free(&b);
    return list;
}

const char *histogram_interval_reason(const struct histogram_view *v)
{
    return v->wald ? NULL : v->profile->estimator.reason;
}

const char *histogram_interval(const struct histogram_view *v)
{
    const struct histogram_rule rule = rule_of(v);

    return histogram_interval_reason(v) ? NULL : v->wald ? "wald" : histogram_method(&rule);
}

void histogram_print_json(const struct histogram_view *v, enum histogram_by by, uint64_t slot, json_t *rows)
{
    const struct profile *p = v->profile;
    const struct histogram_row_value all = histogram_row(v, &p->active, 0, 0);

    json_print(REPORT_MAKE(histogram, .by = by_words[by], .task = p->request.task == ROW_ANY ? NULL : p->task,
                           .mode = p->request.all_modes ? NULL : mode_name(p->request.mode), .samples = p->samples,
                           .active = REPORT_MAKE(share, all.hits, all.changes, all.percent, all.low, all.high),
                           .below = p->below, .above = p->above, .unresolved = p->unresolved,
                           .masked_seen = !p->maskable, .slot = REPORT_KNOWN_IF(slot, slot),
                           .interval = histogram_interval(v), .interval_reason = histogram_interval_reason(v),
                           .rows = rows), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

void view_slots_json(const struct histogram_view *v, uint64_t low, uint64_t high)
{
    uint64_t size;
    json_t *rows = slots(v, low, high, &size);

    histogram_print_json(v, HISTOGRAM_BY_SLOT, size, rows);
}

bool view_breakdown_json(const struct histogram_view *v, enum breakdown_by by)
{
    json_t *rows = breakdown(v, by);

    if (rows)
        histogram_print_json(v, (enum histogram_by)(HISTOGRAM_BY_BREAKDOWN + by), v->profile->slot, rows);
    return rows;
}
