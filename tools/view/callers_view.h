/* SPDX-License-Identifier: MIT */
/* Time in the kernel by the instruction that called: as a table, and as JSON (docs/JSON.md, "callers"). */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "tools/model/stream_model.h"
#include "tools/symbols/code_files.h"

/*
 * Print the calls of a task, or of ROW_ANY: the three ways beside the truth.  False, with a message on standard error,
 * where the epoch has none.  `names`: of that task's program and the image.
 */
bool callers_print(const struct epoch *e, uint32_t task, const struct code_files *names);

/* The same as one JSON object (docs/schema/histogram.schema.json). */
bool callers_print_json(const struct epoch *e, uint32_t task, const struct code_files *names);

/* Of all tasks; null where the epoch has no such record. */
json_t *callers_json(const struct epoch *e);
