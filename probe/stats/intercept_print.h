/* SPDX-License-Identifier: MIT */
/* The table of monitor=intercept as text: a line a vector.  Host and task context: floating point. */
#pragma once

#include <stdint.h>

#include "probe/text/text_buf.h"

/* One vector; times in clock units. */
struct intercept_line {
    const char *name;
    uint64_t count, time, greatest;
    uint64_t latencies, latency, latency_greatest;
    uint64_t window, clock_hz; /* of the counters; 0: not known */
};

/* The head of the table, and a line of it: share of the window, mean, greatest and latencies in us.  `text` is ended. */
void intercept_print_head(char text[TEXT_BUF_SIZE]);
void intercept_print(char text[TEXT_BUF_SIZE], const struct intercept_line *l);
