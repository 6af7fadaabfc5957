/* SPDX-License-Identifier: MIT */
/* Scales of charts: from values to places, with round numbers on the way.  Host only. */
#pragma once

#include <stdbool.h>

struct scale {
    double low, high; /* values, low < high; of a logarithmic scale above 0 */
    double from, to;  /* their places, in px or columns; `from` may be above `to` */
    bool logarithmic;
};

double scale_place(const struct scale *s, double value);

#define SCALE_TICKS 32

/*
 * At most `most` (2 to SCALE_TICKS) round values from low to high, in order, and how many; on a
 * logarithmic scale powers of ten.
 */
unsigned scale_ticks(const struct scale *s, unsigned most, double tick[SCALE_TICKS]);

/* A round number at or above `value`, for the end of a scale that begins at 0. */
double scale_top(double value);
