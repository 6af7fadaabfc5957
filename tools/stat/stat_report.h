/* SPDX-License-Identifier: MIT */
/* What `cpuprobe stat` tells of an epoch: its table, that of its second source, and the comparison of both. */
#pragma once

#include <jansson.h>

#include "probe/stats/table.h"
#include "tools/analysis/plausible.h"
#include "tools/base/report_object.h"
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

/* Declares `cpuprobe stat` as JSON, schema cpuprobe-stat-1: for its command, and within what other commands write. */

#define STAT_JSON_DIGITS 12 /* of a real number */

extern const struct report_object stat_object;

/* The report as one JSON object, for the caller to release.  Host only. */
json_t *stat_json_object(const struct stat_report *r);

/* Print it on standard output. */
void stat_json(const struct stat_report *r);

/* Declares the sections of the JSON of `cpuprobe stat`, a file each.  What was not measured is null.  Host only. */

/* stat_json_table.c: the ticks and the table of one source. */
extern const struct report_object stat_table_object;
json_t *stat_json_table(const struct stat_report *r);

/* stat_monitors.c: what monitors tell, a member each. */
extern const struct report_object stat_monitors_object;
json_t *stat_json_monitors(const struct epoch *e);

/* stat_json_said.c: what the image says beside its table. */
extern const struct report_object fault_object, task_report_object, message_object, stat_events_object, profil_object;
json_t *stat_json_faults(const struct epoch *e);
json_t *stat_json_reports(const struct epoch *e);
json_t *stat_json_texts(const struct epoch *e);
json_t *stat_json_events(const struct epoch *e); /* NULL: none arrived */
json_t *stat_json_profils(const struct epoch *e);
