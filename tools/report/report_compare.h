/* SPDX-License-Identifier: MIT */
/* Compares two runs row by row, with what is more than chance, as JSON. */
#pragma once

#include "tools/analysis/code_tree.h"
#include "tools/base/report_object.h"
#include "tools/stat/stat_report.h"

struct report_side {
    const struct stat_report *stat;
    const struct code_tree *code; /* NULL: the run has no raw samples */
};

/* The comparison, for the caller to release.  Host only. */
json_t *report_compare_json(const struct report_side *a, const struct report_side *b);
extern const struct report_object report_compare_object;
