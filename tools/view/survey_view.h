/* SPDX-License-Identifier: MIT */
/* A survey, or two side by side, on standard output. */
#pragma once

#include "probe/survey/survey.h"
#include "tools/analysis/survey_diff.h"

void survey_view_print(const struct survey *s);
void survey_view_compare(const struct survey_diff *d, const char *const path[2]);
