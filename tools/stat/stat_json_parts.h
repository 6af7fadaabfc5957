/* SPDX-License-Identifier: MIT */
/* Declares the sections of the JSON of `cpuprobe stat`, a file each.  What was not measured is null.  Host only. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/stat/stat_report.h"

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
