/* SPDX-License-Identifier: MIT */
/* A profile as JSON, schema cpuprobe-histogram-1 (docs/schema/histogram.schema.json): rows of slots or of a breakdown. */
#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/json_value.h"
#include "tools/view/histogram_json.h"

static struct histogram_rule rule_of(const struct histogram_view *v)
{
    return (struct histogram_rule){v->profile->estimator, v->wald, v->profile->samples, v->profile->unresolved};
}

static double percent_of(const struct histogram_rule *rule, double hits)
{
    return rule->samples ? 100.0 * hits / (double)rule->samples : NAN;
}

/* Hits, their share, and its interval where there is one. */
static json_t *row(const struct histogram_rule *rule, uint64_t hits, uint64_t changes)
{
    const struct histogram_range range = histogram_range(rule, hits, changes);
    const bool has = rule->wald || !rule->estimator.reason;

    return json_pack("{so so so so so}", "hits", json_count(hits), "changes", json_count(changes),
                     "percent", json_finite(percent_of(rule, (double)hits)),
                     "low", json_finite(has ? percent_of(rule, range.low) : NAN),
                     "high", json_finite(has ? percent_of(rule, range.high) : NAN));
}

json_t *histogram_row_json(const struct histogram_view *v, const struct tally *t)
{
    const struct histogram_rule rule = rule_of(v);

    return row(&rule, t->hits, t->changes);
}

void histogram_put_place(json_t *object, uint64_t start, uint64_t end, const char *name, const char *code)
{
    json_object_set_new(object, "name", json_text_or_null(name));
    json_object_set_new(object, "start", json_address(start));
    json_object_set_new(object, "end", json_address(end));
    json_object_set_new(object, "code", json_text_or_null(code));
}

static json_t *slots(const struct histogram_view *v, const struct histogram_rule *rule, uint64_t low, uint64_t high, uint64_t *size)
{
    struct histogram_slot *slot = xrealloc_array(NULL, v->profile->atoms + 1, sizeof(*slot));
    const struct histogram h = view_slots_of(v, low, high, slot);
    json_t *list = json_array();

    for (size_t i = 0; i < h.count; i++)
        if (slot[i].hits >= v->min) {
            json_t *object = row(rule, slot[i].hits, slot[i].changes);

            histogram_put_place(object, slot[i].address, slot[i].address + h.slot, NULL, NULL);
            json_array_append_new(list, object);
        }
    *size = h.slot;
    free(slot);
    return list;
}

static json_t *breakdown(const struct histogram_view *v, const struct histogram_rule *rule, enum breakdown_by by)
{
    struct breakdown b;
    json_t *list;

    if (!breakdown_make(&b, v->profile, v->symbols, by))
        return NULL;
    list = json_array();
    for (size_t i = 0; i < b.rows; i++)
        if (b.row[i].tally.hits >= v->min) {
            json_t *object = row(rule, b.row[i].tally.hits, b.row[i].tally.changes);

            histogram_put_place(object, b.row[i].start, b.row[i].end, b.row[i].name, b.row[i].text);
            json_array_append_new(list, object);
        }
    breakdown_free(&b);
    return list;
}

void histogram_put_interval(json_t *object, const struct histogram_view *v)
{
    const struct histogram_rule rule = rule_of(v);
    const bool has = v->wald || !rule.estimator.reason;

    json_object_set_new(object, "interval", json_text_or_null(has ? (v->wald ? "wald" : histogram_method(&rule)) : NULL));
    json_object_set_new(object, "interval_reason", json_text_or_null(has ? NULL : rule.estimator.reason));
}

void histogram_print_json(const struct histogram_view *v, const char *by, uint64_t slot, json_t *rows)
{
    const struct histogram_rule rule = rule_of(v);
    const struct profile *p = v->profile;
    json_t *const object = json_pack("{ss ss so so so so so so so so so}", "schema", "cpuprobe-histogram-1", "by", by,
                                     "task", json_text_or_null(p->request.task == ROW_ANY ? NULL : p->task),
                                     "mode", json_text_or_null(p->request.all_modes ? NULL : mode_name(p->request.mode)),
                                     "samples", json_count(p->samples), "active", row(&rule, p->active.hits, p->active.changes),
                                     "below", json_count(p->below), "above", json_count(p->above), "unresolved", json_count(p->unresolved),
                                     "masked_seen", json_boolean(!p->maskable), "slot", slot ? json_count(slot) : json_null());

    histogram_put_interval(object, v);
    json_object_set_new(object, "rows", rows);
    json_print(object, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

void view_slots_json(const struct histogram_view *v, uint64_t low, uint64_t high)
{
    const struct histogram_rule rule = rule_of(v);
    uint64_t size;
    json_t *rows = slots(v, &rule, low, high, &size);

    histogram_print_json(v, "slot", size, rows);
}

bool view_breakdown_json(const struct histogram_view *v, enum breakdown_by by)
{
    static const char *const name[] = {"function", "line", "instruction"};
    const struct histogram_rule rule = rule_of(v);
    json_t *rows = breakdown(v, &rule, by);

    if (rows)
        histogram_print_json(v, name[by], v->profile->slot, rows);
    return rows;
}
