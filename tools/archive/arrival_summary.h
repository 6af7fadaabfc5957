/* SPDX-License-Identifier: MIT */
/* Tells from the times of arrival beside a recording when it was, gaps, and the board's clock against the host's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/archive/clock_drift.h"

struct arrival_summary {
    uint64_t wall;       /* the start, ns since 1970; 0: not told */
    double seconds;      /* to the last byte */
    uint64_t gaps;       /* how often the port was away */
    double away;         /* in all, s */
    uint64_t wrong;      /* lines that could not be used */
    unsigned boots;      /* of the board */
    struct drift_estimate drift; /* of the boot with the most HELLOs */
};

/* Read the recording at `path` and the file beside it.  False: there is none, or the recording cannot be read. */
bool arrival_summarize(const char *path, struct arrival_summary *s);

/* A time, s since 1970, as a date of ISO 8601 in UTC, to the second; it may be before 1970. */
void arrival_date(double seconds, char text[32]);
