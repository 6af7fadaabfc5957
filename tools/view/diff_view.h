/* SPDX-License-Identifier: MIT */
/* Shows what `cpuprobe diff` found, as text or as JSON, schema cpuprobe-diff-1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/analysis/breakdown.h"
#include "tools/base/report_object.h"
#include "tools/input/run_input.h"

struct share_diff;

struct diff_report {
    const struct run_input *side; /* two */
    const struct share_diff *diff;
    enum breakdown_by by;
    uint64_t min; /* rows with fewer hits in both runs are left out */
};

extern const struct report_object diff_object;

/* Print it.  Host. */
void diff_view_print(const struct diff_report *r, bool as_json);

/* Hits in percent of all samples; 0 where there are none. */
double diff_percent(const struct tally *t);
