/* SPDX-License-Identifier: MIT */
/* All lines of a server as one OpenMetrics text: their state, and the last table of each.  Host. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "tools/serve/line_history.h"
#include "tools/serve/line_mux.h"
#include "tools/serve/line_watch.h"

/* A line, the newest part of its stream and, where clients may use it too, its socket. */
struct served_line {
    struct line_watch watch;
    struct line_history history;
    struct line_mux mux;
    bool shared;
};

/* The text, which ends with its mark. */
void line_metrics_put(FILE *out, struct served_line *line, size_t lines);

/* A line for a person each: name, state, how much came. */
void line_metrics_print(FILE *out, struct served_line *line, size_t lines);
