/* SPDX-License-Identifier: MIT */
/* Compares the tables of an epoch's two sources for the alias alarm. */
#include "tools/analysis/alias_compare.h"

#include "tools/analysis/report.h"

bool alias_compare_make(struct alias_compare *b, const struct epoch *e)
{
    const struct epoch *const of[2] = {e, e->second_source};

    if (!e->second_source || !e->snapshot || !e->second_source->snapshot)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        b->options[i] = report_options(of[i]);
        b->side[i] = (struct alias_side){
            .source = of[i]->has_hello ? of[i]->hello.source.bytes : i ? "second" : "first",
            .snapshot = of[i]->snapshot, .options = &b->options[i],
        };
    }
    alias_compare(&b->alias, b->side);
    return true;
}
