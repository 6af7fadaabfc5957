/* SPDX-License-Identifier: MIT */
/* What `cpuprobe stat` tells of an epoch: its table, that of its second source, and the comparison of both. */
#pragma once

#include "probe/stats/table.h"
#include "tools/analysis/plausible.h"
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

/* The report with what it points to: it stays where it is made. */
struct stat_report_parts {
    struct stat_report whole, second;
    struct table_options table[2]; /* of the first source and of the second; the caller may add its user's options */
    struct alias_compare beside;
};

/*
 * Make the report of an epoch whose rows are named (report_epoch()).  The other arguments are kept too.  Host only.
 */
void stat_report_make(struct stat_report_parts *p, const struct frame_decoder *stream, const struct model *model,
                      const struct epoch *epoch);
