/* SPDX-License-Identifier: MIT */
/* Makes all that the page of a report shows, as one JSON object, schema cpuprobe-report-1. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/report/report_run.h"

#define REPORT_RUNS 2

/* The data of one run, or of two and their comparison.  For the caller to release.  Host only. */
json_t *report_data_json(const struct report_run *run, unsigned runs);
extern const struct report_object report_data_object;
