/* SPDX-License-Identifier: MIT */
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
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

void report_text(json_t *report, const char *text, FILE *out);

/* Print a report as JSON, with these flags, or as text; release it. */
void report_print(json_t *report, const char *text, bool as_json, size_t flags);
