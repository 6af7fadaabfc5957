/* SPDX-License-Identifier: MIT */
/* Declares `cpuprobe stat` as JSON, schema cpuprobe-stat-1: for its command, and within what other commands write. */
#pragma once

#include <jansson.h>

#include "tools/stat/stat_report.h"

#define STAT_JSON_DIGITS 12 /* of a real number */

extern const struct report_object stat_object;

/* The report as one JSON object, for the caller to release.  Host only. */
json_t *stat_json_object(const struct stat_report *r);

/* Print it on standard output. */
void stat_json(const struct stat_report *r);
