/* SPDX-License-Identifier: MIT */
/* Computes the rate of a clock by two bracketed readings, and the rate of events. */
/* Uses vector registers: task context only. */
#include "probe/survey/rates.h"

#include "probe/estimate/confidence.h"

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

/* Intervals of Poisson's sums by gamma distributions. */

#define NORMAL 1.9599639845400545 /* quantile 0.975 of the normal distribution */

/* A quantile of chi-squared with so many degrees of freedom, `z` that of the normal distribution; never below 0. */
static double chi_squared(double freedom, double z)
{
    const double part = 2 / (9 * freedom), root = 1 - part + z * confidence_root(part);

    return root > 0 ? freedom * root * root * root : 0;
}

static double gamma_quantile(double sum, double squares, double z)
{
    return chi_squared(2 * sum * sum / squares, z) * squares / (2 * sum);
}

struct event_interval event_interval_of(const struct event_sum *s)
{
    const double more = s->sum + s->largest, squares = s->squares + s->largest * s->largest;
    struct event_interval i = { 0, 0 };

    if (s->sum > 0 && s->squares > 0)
        i.low = gamma_quantile(s->sum, s->squares, -NORMAL);
    if (more > 0 && squares > 0)
        i.high = gamma_quantile(more, squares, NORMAL);
    return i;
}

struct event_interval event_interval_count(uint64_t events)
{
    return event_interval_of(&(struct event_sum){ .sum = (double)events, .squares = (double)events, .largest = 1 });
}
