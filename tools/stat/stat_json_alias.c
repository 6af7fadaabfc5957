/* SPDX-License-Identifier: MIT */
/* The comparison of two sources. */
#include "tools/stat/stat_json_parts.h"

#include "tools/base/json_value.h"

static json_t *alias_cell(const struct alias_cell *from)
{
    return json_pack("{s:o, s:o, s:[o, o], s:[o, o], s:o}",
                     "name", json_text_or_null(from->row->name), "mode", json_text_or_null(mode_name(from->mode)),
                     "percent", json_finite(from->percent[0]), json_finite(from->percent[1]),
                     "exact", json_finite(from->exact[0]), json_finite(from->exact[1]), "z", json_finite(from->z));
}

json_t *stat_json_alias(const struct alias_compare *from)
{
    const struct alias *a;
    json_t *cells, *wrong;

    if (!from)
        return json_null();
    a = &from->alias;
    cells = json_array();
    wrong = json_array();
    for (unsigned i = 0; i < a->cells; i++)
        json_array_append_new(cells, alias_cell(&a->cell[i]));
    for (unsigned i = 0; i < 2; i++)
        if (a->wrong[i])
            json_array_append_new(wrong, json_text_or_null(from->side[i].source));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "compared", json_count(a->compared), "differ", json_count(a->differ), "limit", json_finite(a->limit),
                     "most", json_finite(a->most), "wrong", wrong,
                     "measured", a->differ ? json_boolean(a->measured) : json_null(), "cells", cells);
}
