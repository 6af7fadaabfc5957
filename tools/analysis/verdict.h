/* SPDX-License-Identifier: MIT */
/* Says in a sentence what a table means: who used most, and how busy the machine was. */
#pragma once

#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"

#define VERDICT_SENTENCE 256 /* bytes, its end included */

/*
 * One sentence about a table, "" where it has no samples: who used most, in which mode, how busy the machine was.
 * Where intervals overlap it does not say who or which half.  `s` may be NULL.
 */
void verdict_make(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o);

/* The same as "busy 97.0 %, idle 3.0, masked 0.6", percent of the samples. */
void verdict_balance(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o);
