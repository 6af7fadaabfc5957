/* SPDX-License-Identifier: MIT */
/* Shares and differences in percent and points. */
#include "tools/json/diff_json.h"

#include <math.h>

#include "tools/base/json_value.h"

static double percent(const struct tally *t)
{
    return t->samples ? 100.0 * (double)t->hits / (double)t->samples : NAN;
}

static json_t *share(const struct tally *t)
{
    return json_pack("{so so}", "hits", json_count(t->hits), "percent", json_finite(percent(t)));
}

static json_t *run(const struct run_input *s)
{
    const struct profile *p = &s->profile;
    const struct profile_request *q = &p->request;

    return json_pack("{so so so so so so so so so so}", "file", json_text_or_null(s->path),
                     "task", json_text_or_null(q->task == ROW_ANY ? NULL : p->task),
                     "mode", json_text_or_null(q->all_modes ? NULL : mode_name(q->mode)),
                     "samples", json_count(p->samples), "hits", json_count(p->active.hits),
                     "percent", json_finite(percent(&p->active)), "below", json_count(p->below), "above", json_count(p->above),
                     "unresolved", json_count(p->unresolved), "interval_reason", json_text_or_null(p->estimator.reason));
}

/* `tested`: the row has a p. */
static json_t *row(const struct share_diff_row *r, const char *name, bool tested)
{
    const bool known = tested && !isnan(r->adjusted);

    return json_pack("{so so so so so so so so so}", "name", json_text_or_null(name), "a", share(&r->a), "b", share(&r->b),
                     "difference", json_finite(100.0 * r->difference), "low", json_finite(100.0 * r->low),
                     "high", json_finite(100.0 * r->high), "p", json_finite(known ? r->p : NAN),
                     "adjusted", json_finite(known ? r->adjusted : NAN),
                     "significant", known ? json_boolean(r->significant) : json_null());
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

void diff_json(const struct diff_report *r)
{
    struct share_diff_row all = {.a = r->side[0].profile.active, .b = r->side[1].profile.active};
    uint64_t hidden = 0;
    json_t *list = rows(r, &hidden);

    share_diff_row(r->diff, &all);
    json_print(json_pack("{ss ss s[oo] so so so so sf so}", "schema", "cpuprobe-diff-1",
                         "by", r->by == BREAKDOWN_LINE ? "line" : "function", "runs", run(&r->side[0]), run(&r->side[1]),
                         "rows", list, "hidden", json_count(hidden), "total", row(&all, NULL, false),
                         "tests", json_count(r->diff->rows), "family_percent", 100.0 * SHARE_DIFF_FAMILY,
                         "interval_reason", json_text_or_null(share_diff_reason(r->diff))),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
