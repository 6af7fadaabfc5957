/* SPDX-License-Identifier: MIT */
/*
 * Fits two clocks that run beside each other, by moments that both recorded: what one is ahead by, and how much
 * faster it runs (least squares).  Times are seconds, each by its own clock.
 */
#pragma once

#include <stdint.h>

/* All zero: no moment.  Sums are of differences to the first moment, so that nothing cancels. */
struct clock_fit {
    uint64_t moments;
    double first_a, first_b, span; /* span: from the first to the last, by clock b */
    double b, bb, ab, aa, a;       /* sums: of b, of a less b, and of their products */
};

/* A moment that is `a` by one clock and `b` by the other. */
void clock_fit_add(struct clock_fit *f, double a, double b);

/* The moment `b` by clock a.  At least one moment is known; with one the clocks run alike. */
double clock_fit_map(const struct clock_fit *f, double b);

/* How much more clock a counts than clock b, parts of one; 0 with fewer than two moments. */
double clock_fit_drift(const struct clock_fit *f);

/* Half of the 95 % interval of the drift; below 0: fewer than three moments do not tell. */
double clock_fit_drift_error(const struct clock_fit *f);

/* How far the moments are from the line, seconds: root of the mean square. */
double clock_fit_deviation(const struct clock_fit *f);
