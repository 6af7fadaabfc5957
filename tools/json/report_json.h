/* SPDX-License-Identifier: MIT */
/* Declares the JSON of reports, and what the JSON of several reports has.  Host. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/base/report_object.h"

struct acct_diff;
struct epoch;
struct epoch_events;
struct model;
struct snapshot;
struct stream_stats;
struct survey;
struct wire_stack_walks;

/* Declares records that the JSON of several reports has. */

extern const struct report_object stack_walks_object, missed_object, lost_object;

/* How samples found their callers; NULL: no record arrived (stack=).  Host. */
json_t *stack_walks_json(const struct wire_stack_walks *w);

/* Ticks that did not happen, samples that were not recorded; each member null where there is no snapshot.  Host. */
json_t *missed_json(const struct snapshot *s, double masked);
json_t *lost_json(const struct snapshot *s);

/* Events by class, of those that arrived.  Host. */
json_t *event_classes_json(const struct epoch *e);

/* Declares what arrived of a stream and what is damaged, as the JSON of several reports has it. */

extern const struct report_object stream_counts_object;

/* Bytes, frames, damage by cause, gaps.  Host. */
json_t *stream_json(const struct stream_stats *stats);

/* Declares the JSON of software monitors: the reports of `idle`, `intercept` and `acct`, and members of `stat`. */

extern const struct report_object idle_object, intercept_object, acct_object, disk_object;

/* Each is a new object; NULL: the epoch has no such records.  Host. */
json_t *idle_json(const struct epoch *e);
json_t *intercept_json(const struct epoch *e);
json_t *acct_json(const struct epoch *e, const struct acct_diff *d);
json_t *acct_json_whole(const struct epoch *e); /* of the whole run */
json_t *disk_json(const struct epoch *e);

/* Makes the JSON of surveys, schema cpuprobe-survey-1. */

/* The survey of a machine, for the caller to release; NULL: there is none. */
json_t *survey_json(const struct epoch *e);
extern const struct report_object machine_object;

/* Print one, or two and their differences. */
void survey_print_json(const struct survey *const *s, unsigned surveys);
extern const struct report_object survey_report_object;

/* Declares `cpuprobe info` as JSON, schema cpuprobe-info-1. */

extern const struct report_object info_object;

/* The stream at `path`, its times of arrival, and each epoch, or `only` where that is not NULL.  Host. */
json_t *info_json(const char *path, const struct stream_stats *stats, const struct model *m,
                  const struct epoch *only);

/*
 * Prints a report as text by a template, from the JSON that the declarations of report_object.h make of it.
 *
 *     "[causes?Cause          times\n[causes:{cause|-10s} {count|9d} {total|t} {share*100|7.2f}\n]]"
 *
 * {VALUE|FORMAT|ABSENT} is a number or a text.  VALUE: members, with a point between a member and one of its own, and
 * numbers, by + - * / from left to right; what is divided by 0 is 0, a flag is 0 or 1.  FORMAT is as printf's, but
 * for the %: d, f, g, s; or r, a number that format_real() rounds; or t and u, a time in seconds as duration_print()
 * and time_text() have it.  ABSENT stands for null and is "-" unless it is given.
 * [VALUE?TEXT] puts the text where the value is a number above 0, a real number as it stands in the report even 0,
 * true, or not empty; [VALUE!TEXT] where it is not; [VALUE=WORD?TEXT] where it is this word.
 * [VALUE:TEXT] puts the text for each item of a list or a map, whose members the values are then, or else those
 * around: {.} is the item itself, {#} its name in the map, and {,} a comma before all but the first.
 */

void report_text(json_t *report, const char *text, FILE *out);

/* Print a report as JSON, with these flags, or as text; release it. */
void report_print(json_t *report, const char *text, bool as_json, size_t flags);
