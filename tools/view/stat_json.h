/* SPDX-License-Identifier: MIT */
/* The options of `cpuprobe stat`, and its output as text and as JSON. */
#pragma once

#include <stdbool.h>

#include "probe/stats/table.h"
#include "tools/analysis/alias_compare.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

struct stat_report {
    const struct frame_decoder *stream;
    const struct model *model;
    const struct epoch *epoch;
    const struct table_options *options;
    const struct stat_report *second_source; /* of the second source, NULL: there is none */
    const struct alias_compare *alias;       /* the comparison of the two, NULL: not possible */
};

/* Print the report as one JSON object (docs/JSON.md) on standard output. */
void stat_json(const struct stat_report *r);
