/* SPDX-License-Identifier: MIT */
/* The page of `cpuprobe report` of a line that goes on, and the events that bring it newer data.  Host. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/serve/line_metrics.h"

#define LIVE_PAGES  "/lines/"  /* a line's number follows: its place on the command line, from 0 */
#define LIVE_EVENTS "/events"  /* behind that: the events of its page */

/* What was sent last: events are sent where another table is there. */
struct live_place {
    uint64_t epoch, serial;
    double next; /* not before, monotonic_seconds(): the making of pages takes a tenth of the time at most */
};

/* Write the page; false: the line has no table yet. */
bool live_page_put(FILE *out, struct served_line *line, unsigned number);

/* The next event, for the caller to free, its end not counted in `length`; NULL: nothing is new. */
char *live_page_event(struct served_line *line, struct live_place *place, size_t *length);
