/* SPDX-License-Identifier: MIT */
/* The paper's arithmetic, with its interval and its units. */
#include "tools/analysis/execution_time.h"

#include <math.h>

#define DIGITS    3  /* significant digits: a share is seldom known better */
#define AFTER_MAX 12 /* digits after the point */

double execution_time_from_hits(double hits, double rate, double executions)
{
    return hits / rate / executions;
}

struct confidence execution_time_from_share(struct confidence share, double elapsed, double executions)
{
    double all = elapsed / executions;

    return (struct confidence){share.estimate * all, share.low * all, share.high * all};
}

struct time_unit time_unit_of(double seconds)
{
    static const struct time_unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    size_t i = 0;

    while (i + 1 < sizeof(units) / sizeof(units[0]) && seconds < units[i].seconds)
        i++;
    return units[i];
}

void time_print(char text[TIME_DIGITS], double value, double around)
{
    double size = around > 0 && isfinite(around) ? floor(log10(around)) : 0;
    double after = fmin(AFTER_MAX, fmax(0, DIGITS - 1 - size));

    if (value < 1e15)
        snprintf(text, TIME_DIGITS, "%.*f", (int)after, value);
    else
        snprintf(text, TIME_DIGITS, "%.6e", value);
}

void duration_print(double seconds, FILE *out)
{
    const struct time_unit unit = time_unit_of(seconds);
    char digits[TIME_DIGITS];

    time_print(digits, seconds / unit.seconds, seconds / unit.seconds);
    fprintf(out, "%7s %-2s", digits, unit.name);
}

const char *time_text(double seconds, char text[TIME_DIGITS])
{
    const struct time_unit unit = time_unit_of(seconds);

    snprintf(text, TIME_DIGITS, "%.*f %s", seconds / unit.seconds < 10.0 ? 2 : 1, seconds / unit.seconds, unit.name);
    return text;
}
