/* SPDX-License-Identifier: MIT */
/* The table of monitor=intercept as text: a line a vector.  Host and task context: floating point. */
#pragma once

#include "probe/stream/wire.h"
#include "probe/text/text_buf.h"

/*
 * The head of the table, and the line of a vector, whose name is ended: share of the window, mean, greatest and
 * latencies in us.  The frequency of the clock units is 0 where it is not known.  `text` is ended.
 */
void intercept_print_head(char text[TEXT_BUF_SIZE]);
void intercept_print(char text[TEXT_BUF_SIZE], const struct wire_intercept *head, const struct wire_intercept_row *r,
                     uint64_t clock_hz);
