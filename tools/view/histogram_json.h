/* SPDX-License-Identifier: MIT */
/* The JSON of a profile, for what adds rows of its own to it (docs/schema/histogram.schema.json). */
#pragma once

#include <jansson.h>

#include "tools/view/histogram_view.h"

/* Hits, their share, and its interval where there is one. */
json_t *histogram_row_json(const struct histogram_view *v, const struct tally *t);

/* Add to a row its addresses, [start, end), and the names; NULL: there is none. */
void histogram_put_place(json_t *row, uint64_t start, uint64_t end, const char *name, const char *code);

/* Add to an object how its intervals are made, or why there are none. */
void histogram_put_interval(json_t *object, const struct histogram_view *v);

/* Print the object: `by` is what a row is, `slot` its bytes (0: single addresses); `rows` is released. */
void histogram_print_json(const struct histogram_view *v, const char *by, uint64_t slot, json_t *rows);
