/* SPDX-License-Identifier: MIT */
/* Shows time in the kernel by the instruction that called, as a table and as JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/base/report_object.h"
#include "tools/symbols/symbol_resolver.h"

/* A member of the report of `stat`, and a report of `histogram`. */
extern const struct report_object callers_object, histogram_callers_object;

/*
 * Print the calls of a task, or of ROW_ANY, as text or as JSON: the three ways beside the truth.  False, with a
 * message on standard error, where the epoch has none.  `names`: of that task's program and the image.
 */
bool callers_print(const struct epoch *e, uint32_t task, const struct code_files *names, bool as_json);

/* Of all tasks; NULL where the epoch has no such record. */
json_t *callers_json(const struct epoch *e);
