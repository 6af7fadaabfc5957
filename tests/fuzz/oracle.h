/* SPDX-License-Identifier: MIT */
/* What no table can say, whatever the stream said: the judge of what the host tool prints. */
#pragma once

#include <jansson.h>

/*
 * The object of `stat --json` that came with exit status 0: NULL where its numbers can be,
 * else what cannot, a sentence that holds until the next call.
 */
const char *oracle_table(const json_t *root);

/* Standard output of any command: NULL, or what a terminal should not get. */
const char *oracle_text(const char *text, size_t length);

/* The same of one that may have signs of other alphabets. */
const char *oracle_signs(const char *text, size_t length);
