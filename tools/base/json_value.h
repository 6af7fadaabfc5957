/* SPDX-License-Identifier: MIT */
/*
 * What the JSON of every report has: numbers and texts that may be missing,
 * and its way to standard output (docs/JSON.md).
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

/* Of memory that a member of an object takes: an estimate. */
#define JSON_MEMBER_BYTES 128

/* null where it is not finite. */
json_t *json_finite(double x);

/* JSON libraries have no integers above 2^63: such a number becomes a real and loses low digits. */
json_t *json_count(uint64_t n);

/* A list of them. */
json_t *json_reals(const double *x, size_t count);
json_t *json_counts(const uint64_t *n, size_t count);

/* An address, as the text "0x..." (docs/JSON.md). */
json_t *json_address(uint64_t a);

/* null for NULL and for what is no UTF-8, for which json_pack() would give up its whole object. */
json_t *json_text_or_null(const char *text);

/* Print it as a line or, with JSON_INDENT(n), as lines, and release it.  cli_begin() sees to errors of output. */
void json_print(json_t *object, size_t flags);
