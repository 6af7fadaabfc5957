/* SPDX-License-Identifier: MIT */
/* The rate of a clock by two bracketed readings. */
/* Uses vector registers: task context only. */
#include "probe/survey/clock_rate.h"

#define MILLION 1e6

struct clock_rate clock_rate_of(const struct clock_span *s)
{
    struct clock_rate rate = { 0, 0 };

    if (s->counts <= s->slack || s->shortest == 0 || s->longest < s->shortest)
        return rate;
    rate.low = (double)(s->counts - s->slack) / (double)s->longest;
    rate.high = ((double)s->counts + (double)s->slack) / (double)s->shortest;
    return rate;
}

struct clock_rate clock_rate_apart(const struct clock_rate *a, double a_should, const struct clock_rate *b,
                                   double b_should)
{
    struct clock_rate apart = { 0, 0 };

    if (!(a->low > 0 && b->low > 0 && a_should > 0 && b_should > 0))
        return apart;
    apart.low = MILLION * (a->low * b_should / (b->high * a_should) - 1);
    apart.high = MILLION * (a->high * b_should / (b->low * a_should) - 1);
    return apart;
}
