/* SPDX-License-Identifier: MIT */
/*
 * The samples of a run by call path (stack=): a tree of task, mode, functions from the outermost caller on,
 * and line.  Host.
 */
#pragma once

#include "tools/analysis/code_tree.h"
#include "tools/report/report_run.h"

/*
 * Make the tree, which code_tree_free() frees.  False where the run has no callers, or its records cannot be read
 * again.  Which sample had which callers is not known: intervals below a mode are those of independent samples,
 * or wider.
 */
bool report_calls_make(struct code_tree *t, const struct report_run *run);
