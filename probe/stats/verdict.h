/* SPDX-License-Identifier: MIT */
/*
 * Says in a sentence what a table means: who used most, and how busy the machine was.  Task and host context:
 * floating point.
 */
#pragma once

#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"

#define VERDICT_SENTENCE 256 /* bytes, its end included */

/* Whether a row is that of a task with hits, except IDLE and PROBE; that with most of them, NULL: there is none. */
bool verdict_is_work(const struct snapshot_row *row);
const struct snapshot_row *verdict_lead(const struct snapshot *s);

/*
 * One sentence about a table, "" where it has no samples: who used most, in which mode, how busy the machine was.
 * Where intervals overlap it does not say who or which half.  Names are as in the table.  `s` may be NULL.
 */
void verdict_make(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o);

/* The same as "busy 97.0 %, idle 3.0, masked 0.6", percent of the samples. */
void verdict_balance(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o);
