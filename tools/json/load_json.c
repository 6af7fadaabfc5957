/* SPDX-License-Identifier: MIT */
/* A list a row, with a value for each step. */
#include "tools/json/load_json.h"

#include <math.h>

#include "tools/base/json_value.h"

/* In percent; null where nothing is known of the step. */
static json_t *percent(double load)
{
    return json_finite(load < 0.0 ? NAN : 100.0 * load);
}

static json_t *steps(const struct load_chart *c, double (*of)(const struct load_chart *c, unsigned column))
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(of(c, i)));
    return list;
}

static json_t *row(const struct load_chart *c, size_t r)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(load_of_row(c, r, i)));
    return json_pack("{so so}", "name", json_text_or_null(c->name[r]), "percent", list);
}

void load_json(const struct load_chart *c, const char *source)
{
    const double from = (double)c->grid->from / c->hz, to = (double)c->grid->to / c->hz;
    json_t *rows = json_array();

    for (size_t r = 0; r < c->rows; r++)
        json_array_append_new(rows, row(c, r));
    json_print(json_pack("{ss ss so so so si so so so}", "schema", "cpuprobe-load-1", "source", source,
                         "from", json_finite(from), "to", json_finite(to), "step", json_finite((to - from) / c->grid->columns),
                         "steps", (int)c->grid->columns, "load", steps(c, load_of_column), "rows", rows,
                         "others", steps(c, load_of_others)),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
