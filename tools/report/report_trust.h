/* SPDX-License-Identifier: MIT */
/* Judges whether the numbers of a run may be believed: damage, losses, intervals, the audit, the alias alarm. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/report/report_run.h"
#include "tools/stat/stat_report.h"

/* The verdict and the findings; `stat` is the report of the same epoch.  Host only. */
json_t *report_trust_json(const struct report_run *run, const struct stat_report *stat);
extern const struct report_object report_trust_object;
