/* SPDX-License-Identifier: MIT */
/* How long a run was in each class of states that the image recorded (monitor=states), as JSON (docs/JSON.md). */
#pragma once

#include <jansson.h>

#include "tools/report/report_run.h"

/* A list of {name, percent, seconds, changes} in the order of their letters; null where it recorded none.  Host only. */
json_t *report_classes_json(const struct report_run *run);
