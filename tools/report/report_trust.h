/* SPDX-License-Identifier: MIT */
/* Whether the numbers of a run may be believed, in sentences: damage, losses, intervals, the audit, the alias alarm. */
#pragma once

#include <jansson.h>

#include "tools/report/report_run.h"
#include "tools/stat/stat_report.h"

/*
 * {verdict, findings}: the verdict is the worst level of the findings, "good", "note", "warning" or "bad"; a finding is
 * {level, topic, text}.  `stat` is the report of the same epoch.  Host only.
 */
json_t *report_trust_json(const struct report_run *run, const struct stat_report *stat);
