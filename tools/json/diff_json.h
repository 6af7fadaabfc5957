/* SPDX-License-Identifier: MIT */
/* Makes JSON of what `cpuprobe diff` found, schema cpuprobe-diff-1. */
#pragma once

#include "tools/analysis/share_diff.h"
#include "tools/base/report_object.h"
#include "tools/input/run_input.h"

struct diff_report {
    const struct run_input *side; /* two */
    const struct share_diff *diff;
    enum breakdown_by by;
    uint64_t min; /* rows with fewer hits in both runs are left out */
};

json_t *diff_json(const struct diff_report *r);
extern const struct report_object diff_object;
