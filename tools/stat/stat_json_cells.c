/* SPDX-License-Identifier: MIT */
/* The shares: a row of the table, a mode. */
#include "tools/stat/stat_json_parts.h"

#include <math.h>

#include "probe/estimate/confidence.h"
#include "tools/base/json_value.h"

static json_t *share(const struct stat_report *r, const struct table_cell *cell,
                     uint64_t changes, double masked)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct tally tally = {cell->hits, s->samples, changes};
    bool estimated = !r->options->estimator.reason && s->samples;
    double deff = estimated ? confidence_deff(&r->options->estimator, &tally) : NAN;

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "hits", json_count(cell->hits), "percent", json_finite(cell->percent),
                     "low", json_finite(cell->low), "high", json_finite(cell->high),
                     "low999", json_finite(cell->low999), "high999", json_finite(cell->high999),
                     "exact", json_finite(cell->exact), "masked", json_finite(masked),
                     "changes", json_count(changes), "deff", json_finite(deff));
}

/* A cell of a row that has none: each member null. */
static json_t *no_share(void)
{
    return json_pack("{s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n}", "hits", "percent", "low", "high",
                     "low999", "high999", "exact", "masked", "changes", "deff");
}

static json_t *row(const struct stat_report *r, const struct snapshot_row *from)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct table_row t = table_row(s, from, r->options);
    json_t *object = json_pack("{s:o, s:o, s:b}", "name", json_text_or_null(from->name), "id", json_count(from->id),
                               "task", from->id < ROW_IDLE);
    double masked = 0.0;

    for (unsigned m = 0; m < MODES; m++) {
        double percent = table_percent_of_tau(s, (double)from->masked[m]);

        masked += percent;
        json_object_set_new(object, mode_name(m),
            t.modes ? share(r, &t.cell[m], from->changes[m], percent) : no_share());
    }
    json_object_set_new(object, "total", share(r, &t.total, from->total_changes, t.modes ? masked : NAN));
    return object;
}

/* All rows; row MASKED is present if ticks were late or masked time was measured. */
json_t *stat_json_rows(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *array = json_array();
    bool has_masked = false;

    for (uint32_t i = 0; s && i < s->rows; i++) {
        const struct snapshot_row *from = &s->row[i];

        has_masked |= from->id == ROW_MASKED;
        if (from->id != ROW_LOST || from->total)
            json_array_append_new(array, row(r, from));
    }
    if (s && s->exact && !has_masked && !r->options->unmasked)
        json_array_append_new(
            array, row(r, &(struct snapshot_row){.id = ROW_MASKED, .name = "MASKED"}));
    return array;
}

json_t *stat_json_modes(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *object = json_object();
    struct table_row t;

    if (!s)
        return object;
    t = table_total(s, r->options);
    for (unsigned m = 0; m < MODES; m++) {
        double masked = 0.0;

        for (uint32_t i = 0; i < s->rows; i++)
            masked += (double)s->row[i].masked[m];
        json_object_set_new(object, mode_name(m),
            share(r, &t.cell[m], s->mode_changes[m], table_percent_of_tau(s, masked)));
    }
    return object;
}
