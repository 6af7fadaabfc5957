/* SPDX-License-Identifier: MIT */
/* Round numbers are 1, 2 and 5 times a power of ten. */
#include "tools/draw/scale.h"

#include <math.h>

double scale_place(const struct scale *s, double value)
{
    const double part = s->logarithmic ? log(value / s->low) / log(s->high / s->low)
                                       : (value - s->low) / (s->high - s->low);

    return s->from + part * (s->to - s->from);
}

/* The least round number at or above `value`, which is above 0. */
static double round_up(double value)
{
    static const double step[] = {1.0, 2.0, 5.0, 10.0};
    const double decade = pow(10.0, floor(log10(value)));

    for (unsigned i = 0; i < 3; i++)
        if (value <= step[i] * decade * (1.0 + 1e-9))
            return step[i] * decade;
    return 10.0 * decade;
}

static unsigned decades(const struct scale *s, unsigned most, double tick[SCALE_TICKS])
{
    const int first = (int)ceil(log10(s->low) - 1e-9), last = (int)floor(log10(s->high) + 1e-9);
    const int step = (last - first) / (int)most + 1;
    unsigned n = 0;

    for (int power = first; power <= last && n < most; power += step)
        tick[n++] = pow(10.0, power);
    return n;
}

unsigned scale_ticks(const struct scale *s, unsigned most, double tick[SCALE_TICKS])
{
    double step, first;
    unsigned n = 0;

    if (s->logarithmic)
        return decades(s, most, tick);
    step = round_up((s->high - s->low) / most);
    first = ceil(s->low / step - 1e-9);
    while (n < most && (first + n) * step <= s->high + 1e-9 * step) {
        tick[n] = (first + n) * step;
        n++;
    }
    return n;
}

double scale_top(double value)
{
    static const double step[] = {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0};
    const double decade = value > 0.0 ? pow(10.0, floor(log10(value))) : 1.0;
    unsigned i = 0;

    while (i + 1 < sizeof(step) / sizeof(step[0]) && value > step[i] * decade * (1.0 + 1e-9))
        i++;
    return step[i] * decade;
}
