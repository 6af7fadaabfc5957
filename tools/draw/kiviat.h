/* SPDX-License-Identifier: MIT */
/*
 * Draws a Kiviat graph (Kolence and Kiviat, "Software unit profiles and Kiviat figures", 1973): an axis a
 * quantity, from one centre, and a polygon a run.  As SVG, and its numbers for a terminal.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define KIVIAT_AXES_LEAST 3
#define KIVIAT_AXES       12
#define KIVIAT_RUNS       8 /* so many colours differ well */

struct kiviat_value {
    double value, low, high; /* 0 or more, in percent; NaN: not known */
};

struct kiviat {
    const char *title;
    unsigned axes, runs;
    const char *axis[KIVIAT_AXES];
    const char *run[KIVIAT_RUNS];
    struct kiviat_value of[KIVIAT_RUNS][KIVIAT_AXES];
    bool one_scale; /* of all axes; else each axis ends at a round number above its own values */
};

/* A line an axis: the value of each run, and its limits. */
void kiviat_print(const struct kiviat *k, FILE *out);

/* False, if it could not be written. */
bool kiviat_svg(const void *kiviat, FILE *out);
