/* SPDX-License-Identifier: MIT */
/* A survey as JSON (docs/JSON.md). */
#pragma once

#include <jansson.h>

#include "probe/survey/survey.h"
#include "tools/analysis/survey_diff.h"

/* A new reference. */
json_t *survey_json(const struct survey *s);
json_t *survey_diff_json(const struct survey_diff *d);
