/* SPDX-License-Identifier: MIT */
/* Shows durations as `cpuprobe durations` and `cpuprobe masked` do: a histogram, for a terminal or as SVG. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/trace/durations.h"

struct duration_view {
    const struct duration_histogram *histogram;
    const char *title;
    double hz;        /* clock units in a second */
    unsigned columns; /* of a line */
    double width;     /* of the drawing, px */
};

void duration_view_print(const struct duration_view *v, FILE *out);

/* For output_to_file(). */
bool duration_view_svg(const void *view, FILE *out);
