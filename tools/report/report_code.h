/* SPDX-License-Identifier: MIT */
/* Tells where in the code the samples of a run are, as JSON: a tree of task, mode, function and line. */
#pragma once

#include "tools/analysis/code_tree.h"
#include "tools/base/report_object.h"

#define REPORT_NODES 12000 /* at most: of the rest those with the fewest hits are left out, and counted */

/*
 * The tree, and that of call paths (report_calls.h), NULL: there is none.  `t` NULL: the run has no raw samples, and
 * the object says so.  Host only.
 */
json_t *report_code_json(const struct code_tree *t, const struct code_tree *calls);
extern const struct report_object report_code_object;
