/* SPDX-License-Identifier: MIT */
/*
 * Computes a histogram's bars: intervals in hits, the scale, the columns.
 * histogram_print.c prints the lines.
 */
/* Uses vector registers: task context only. */
#include "probe/stats/histogram.h"

#define HITS_A_COLUMN 10 /* as in the paper */

static struct confidence interval_at(const struct histogram_rule *rule, const struct tally *t)
{
    return rule->wald ? confidence_wald(t, LEVEL_95) : confidence_of(&rule->estimator, t, LEVEL_95);
}

/* Any lost sample may belong to this row: the upper limit counts all of them as hits. */
struct histogram_range histogram_range(const struct histogram_rule *rule, uint64_t hits,
                                       uint64_t changes)
{
    struct tally t = {hits, rule->samples, changes};
    struct histogram_range r = {(double)hits, (double)hits, (double)hits};
    double n = (double)rule->samples;

    if (!rule->samples || (rule->estimator.reason && !rule->wald))
        return r;
    r.low = interval_at(rule, &t).low * n;
    if (r.low < 0)
        r.low = 0;
    t.hits = rule->lost < rule->samples - hits ? hits + rule->lost : rule->samples;
    t.changes += rule->lost;
    r.high = interval_at(rule, &t).high * n;
    return r;
}

double histogram_scale(double longest, unsigned room)
{
    double scale = longest / (room ? room : 1), step = 1, steps;

    if (scale <= HITS_A_COLUMN)
        return HITS_A_COLUMN;
    while (scale / step >= 99)
        step *= 10;
    steps = (double)(int64_t)(scale / step);
    return steps * step < scale ? (steps + 1) * step : steps * step;
}

static unsigned column_of(double hits, double scale)
{
    return (unsigned)(int64_t)(hits / scale + 0.5);
}

static void put_many(struct text_buf *l, char c, unsigned from, unsigned to)
{
    for (; from < to; from++)
        buf_char(l, c);
}

void histogram_bar(struct text_buf *l, const struct histogram_range *range, double scale)
{
    unsigned low = column_of(range->low, scale), estimate = column_of(range->hits, scale);

    put_many(l, '*', 0, low);
    put_many(l, '-', low, estimate);
    buf_char(l, '|');
    put_many(l, '-', estimate, column_of(range->high, scale));
}

const char *histogram_method(const struct histogram_rule *rule)
{
    if (rule->wald)
        return "Wald, as in the paper";
    if (rule->estimator.reason)
        return rule->estimator.reason;
    return rule->estimator.pairing == PAIR_STRATUM ? "stratified" : "random";
}
