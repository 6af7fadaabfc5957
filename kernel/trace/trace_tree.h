/* SPDX-License-Identifier: MIT */
/* The class tree of monitor=states: classes= of the configuration, compiled. */
#pragma once

#include <stdbool.h>

#include "probe/config/config.h"
#include "probe/text/refusal.h"
#include "probe/trace/class_tree.h"

/*
 * Compile the tree of these words, where they have monitor=states; false, with line and column, where it is none.
 * The one in force stays until trace_tree_apply().  `why` points into the words.  The start, and task PROBE.
 */
bool trace_tree_plan(const struct config *w, struct refusal *why);

/* The planned tree is in force where it is that of these words; a plan for other words is forgotten.  As above. */
void trace_tree_apply(const struct config *w);

/* The one in force; void where there is none.  Any context, but it is changed by PROBE. */
const struct class_tree *trace_tree(void);

/* The classes of events that the tree in force needs, where these words have monitor=states; else 0.  Any context. */
uint32_t trace_tree_classes(const struct config *w);
