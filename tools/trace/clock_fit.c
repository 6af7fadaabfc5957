/* SPDX-License-Identifier: MIT */
/* Least squares of a - b over b. */
#include "tools/trace/clock_fit.h"

#include <math.h>

#define Z95 1.96

void clock_fit_add(struct clock_fit *f, double a, double b)
{
    double ahead;

    if (!f->moments) {
        f->first_a = a;
        f->first_b = b;
    }
    b -= f->first_b;
    ahead = a - f->first_a - b;
    f->moments++;
    f->span = b;
    f->b += b;
    f->bb += b * b;
    f->a += ahead;
    f->aa += ahead * ahead;
    f->ab += ahead * b;
}

/* Sum of the squares of b about its mean; 0 where all are one moment. */
static double spread(const struct clock_fit *f)
{
    return f->moments ? f->bb - f->b * f->b / (double)f->moments : 0.0;
}

double clock_fit_drift(const struct clock_fit *f)
{
    const double of_b = spread(f);

    return f->moments < 2 || !(of_b > 0.0) ? 0.0 : (f->ab - f->a * f->b / (double)f->moments) / of_b;
}

double clock_fit_map(const struct clock_fit *f, double b)
{
    const double n = f->moments ? (double)f->moments : 1.0;

    b -= f->first_b;
    return f->first_a + b + f->a / n + clock_fit_drift(f) * (b - f->b / n);
}

/* Sum of the squares of what the line leaves; rounding may make it less than none. */
static double left_over(const struct clock_fit *f)
{
    const double drift = clock_fit_drift(f), n = (double)f->moments;
    const double left = f->moments ? f->aa - f->a * f->a / n - drift * drift * spread(f) : 0.0;

    return left > 0.0 ? left : 0.0;
}

double clock_fit_drift_error(const struct clock_fit *f)
{
    const double of_b = spread(f);

    return f->moments < 3 || !(of_b > 0.0) ? -1.0 : Z95 * sqrt(left_over(f) / (double)(f->moments - 2) / of_b);
}

double clock_fit_deviation(const struct clock_fit *f)
{
    return f->moments ? sqrt(left_over(f) / (double)f->moments) : 0.0;
}
