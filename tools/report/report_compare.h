/* SPDX-License-Identifier: MIT */
/* Two runs row by row, with what is more than chance, as JSON (docs/JSON.md). */
#pragma once

#include <jansson.h>

#include "tools/analysis/code_tree.h"
#include "tools/stat/stat_report.h"

struct report_side {
    const struct stat_report *stat;
    const struct code_tree *code; /* NULL: the run has no raw samples */
};

/* {tasks, functions}: the rows of the tables, and functions by task and mode, null unless both runs have raw samples.  Host only. */
json_t *report_compare_json(const struct report_side *a, const struct report_side *b);
