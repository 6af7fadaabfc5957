/* SPDX-License-Identifier: MIT */
/*
 * What the times of arrival beside a recording tell: when it was, gaps, the board's clock against the host's.  Host.
 */
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

/* The start as a date of ISO 8601 in UTC, to the second. */
void arrival_date(uint64_t wall, char text[32]);
