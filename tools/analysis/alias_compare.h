/* SPDX-License-Identifier: MIT */
/* Compares the two sources of an epoch (probe/stats/alias.h). */
#pragma once

#include <stdbool.h>

#include "probe/stats/alias.h"
#include "tools/model/stream_model.h"

struct alias_compare {
    struct table_options options[2];
    struct alias_side side[2];
    struct alias alias;
};

/* False without two tables: there is one source only, or no complete snapshot of one arrived. */
bool alias_compare_make(struct alias_compare *b, const struct epoch *e);
