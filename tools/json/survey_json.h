/* SPDX-License-Identifier: MIT */
/* Makes the JSON of surveys, schema cpuprobe-survey-1. */
#pragma once

#include "probe/survey/survey.h"
#include "tools/analysis/survey_diff.h"
#include "tools/base/report_object.h"

/* The survey of a machine, for the caller to release. */
json_t *survey_json(const struct survey *s);
extern const struct report_object machine_object;

/* Print one, or two and their differences. */
void survey_print_json(const struct survey *const *s, unsigned surveys);
extern const struct report_object survey_report_object;
