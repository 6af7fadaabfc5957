/* SPDX-License-Identifier: MIT */
/*
 * Intervals of sampled shares: docs/ACCOUNTING.md, "The schedule"; Wilson, JASA
 * 22, 1927; Korn and Graubard, Survey Methodology 24, 1998 (exact limits of
 * effective samples); Crowe, "System-wide CPU usage monitoring", appendix (Wald's).
 */
/* Uses vector registers: task context only. */
#include "probe/estimate/confidence.h"

#include <stddef.h>

#include "probe/schedule/schedule.h"

#define T_TABLE     30 /* degrees of freedom in the table */
#define NORMAL_FROM 1000000 /* degrees of freedom from which on t counts as normal */
#define SPREAD_LOW  1000

/*
 * cv2 of a width of exactly T is 1/12.  The minimum interval can reduce a wide spread
 * to less.  2 % below 1/12 is allowed for the rounding to counts.
 */
#define CV2_LOW (0.98 / 12)

static const double normal[LEVELS] = {1.959963984540054, 3.290526731491926};

static const double student[LEVELS][T_TABLE] = {
    {12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
     2.26216,  2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
     2.10982,  2.10092, 2.09302, 2.08596, 2.07961, 2.07387, 2.06866, 2.06390,
     2.05954,  2.05553, 2.05183, 2.04841, 2.04523, 2.04227},
    {636.61925, 31.59905, 12.92398, 8.61030, 6.86883, 5.95882, 5.40788, 5.04131,
     4.78091,   4.58689,  4.43698,  4.31779, 4.22083, 4.14045, 4.07277, 4.01500,
     3.96513,   3.92165,  3.88341,  3.84952, 3.81928, 3.79213, 3.76763, 3.74540,
     3.72514,   3.70661,  3.68959,  3.67391, 3.65941, 3.64596},
};

double confidence_cv2(const struct schedule *s)
{
    const double mean = (double)s->mean / 65536, drawn = mean - (double)s->base;

    if (s->policy->pairing != PAIR_EACH)
        return 0;
    return drawn / mean * (drawn / mean) * ((double)s->policy->variance / 4294967296.0);
}

struct estimator estimator_of(const struct policy *policy, uint32_t spread, double cv2)
{
    struct estimator e = {policy->pairing, cv2, NULL, 0};

    if (e.pairing == PAIR_NEVER)
        e.reason = policy->reason;
    else if (e.pairing == PAIR_EACH && ((policy->spreads && spread < SPREAD_LOW) || cv2 < CV2_LOW))
        e.reason = "spread too small";
    return e;
}

/* Past the table: the expansion of Fisher and Cornish, correct to four digits from 31 on. */
double confidence_t(enum level level, uint64_t freedom)
{
    double z = normal[level], z2 = z * z, u;

    if (freedom == 0)
        return student[level][0];
    if (freedom <= T_TABLE)
        return student[level][freedom - 1];
    u = 1 / (double)freedom;
    return z * (1 + u * ((z2 + 1) / 4 +
                         u * (((5 * z2 + 16) * z2 + 3) / 96 +
                              u * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384)));
}

static bool is_certain(const struct tally *t)
{
    return t->hits == 0 || t->hits == t->samples;
}

/* Pairs with one of two samples in the cell; each hit among misses ends two of the pairs of PAIR_EACH. */
static double discordant(const struct estimator *e, const struct tally *t)
{
    return e->pairing == PAIR_STRATUM ? (double)t->changes : (double)t->changes / 2;
}

/* The part of deff that pairs show.  In strata one pair more stands for the doubt of none. */
static double paired(const struct estimator *e, const struct tally *t)
{
    const double n = (double)t->samples, p = (double)t->hits / n;

    return (1 - e->cv2) * (discordant(e, t) + (e->pairing == PAIR_STRATUM)) / (n * p * (1 - p));
}

double confidence_deff(const struct estimator *e, const struct tally *t)
{
    return is_certain(t) || e->pairing == PAIR_NEVER ? 1 : e->cv2 + paired(e, t);
}

/*
 * Newton's square root, from above, until it no longer decreases.  The compiler's
 * built-in one calls libm on some targets, to set errno.
 */
double confidence_root(double square)
{
    double next = (square + 1) / 2, last;

    if (square <= 0)
        return 0;
    do {
        last = next;
        next = (last + square / last) / 2;
    } while (next < last);
    return last;
}

/* Wilson's interval for `n` effective samples, cut at 0 and 1 against rounding errors. */
static struct confidence wilson(double share, double n, double z)
{
    double z2 = z * z / n;
    double centre = (share + z2 / 2) / (1 + z2);
    double half = confidence_root(share * (1 - share) * z2 + z2 * z2 / 4) / (1 + z2);
    struct confidence i = {share, centre - half, centre + half};

    if (i.low < 0 || share == 0)
        i.low = 0;
    if (i.high > 1 || share == 1)
        i.high = 1;
    if (i.low > share)
        i.low = share;
    if (i.high < share)
        i.high = share;
    return i;
}

static double share_of(const struct tally *t)
{
    return t->samples ? (double)t->hits / (double)t->samples : 0;
}

/* As many as pairs; more (Satterthwaite) if they show a part of the variance only. */
double confidence_freedom(const struct estimator *e, const struct tally *t)
{
    const double pairs = discordant(e, t), whole = confidence_deff(e, t) / paired(e, t);

    return (pairs > 1 ? pairs : 1) * whole * whole;
}

/* Few hits have few discordant pairs, so that their variance is itself an estimate: Student's t instead of z. */
static double wider(double deff, double freedom, enum level level)
{
    const double t = confidence_t(level, freedom < NORMAL_FROM ? (uint64_t)freedom : NORMAL_FROM);

    return deff * (t / normal[level]) * (t / normal[level]);
}

/* The independent samples that say as much.  Few hits never count for less than as many independent samples. */
static double effective(const struct estimator *e, const struct tally *t, enum level level)
{
    const uint64_t misses = t->samples - t->hits, least = t->hits < misses ? t->hits : misses;
    const double n = (double)t->samples;
    double deff = confidence_deff(e, t);

    if (!few_hits((double)least, n))
        return n / deff;
    if (t->changes == 0 || is_certain(t)) /* nothing is known of the variance */
        return n;
    deff = wider(deff, confidence_freedom(e, t), level);
    return deff > 1 ? n : n / deff;
}

static struct confidence mirrored(struct confidence i)
{
    return (struct confidence){1 - i.estimate, 1 - i.high, 1 - i.low};
}

/*
 * Of `bias`, the points that handlers have too few, the code of this share may have had all or none: where it has d
 * of them too many, its share is (truth + d) / (1 + bias), 0 <= d <= bias.
 */
static struct confidence with_bias(struct confidence i, double bias)
{
    const double low = i.low * (1 + bias) - bias, high = i.high * (1 + bias);

    return (struct confidence){i.estimate, low > 0 ? low : 0, high < 1 ? high : 1};
}

/* What chance alone allows. */
static struct confidence by_chance(const struct estimator *e, const struct tally *t, enum level level)
{
    const double share = share_of(t), rare = share < 0.5 ? share : 1 - share;
    double n;
    struct confidence i;

    if (t->samples == 0)
        return (struct confidence){0, 0, 1};
    n = effective(e, t, level);
    if (!few_hits(rare * n, n))
        return wilson(share, n, normal[level]);
    i = few_hits_limits(rare * n, n, level);
    i = share < 0.5 ? i : mirrored(i);
    i.estimate = share;
    return i;
}

struct confidence confidence_of(const struct estimator *e, const struct tally *t, enum level level)
{
    return with_bias(by_chance(e, t, level), e->bias);
}

struct confidence confidence_wilson(const struct tally *t, enum level level)
{
    if (t->samples == 0)
        return (struct confidence){0, 0, 1};
    return wilson(share_of(t), (double)t->samples, normal[level]);
}

struct confidence confidence_wald(const struct tally *t, enum level level)
{
    double share = share_of(t), half = 0;

    if (t->samples > 1)
        half = normal[level] * confidence_root(share * (1 - share) / ((double)t->samples - 1));
    return (struct confidence){share, share - half, share + half};
}

/*
 * Limits that few hits put on a share, from a table of exact intervals of a Poisson mean: Blaker, "Confidence curves
 * and improved exact confidence intervals for discrete distributions", Canadian Journal of Statistics 28, 2000.
 */

#define FEW     50
#define POISSON 10 /* the variance hits (1 - p) is below a Poisson count's by fewer hits than this */

/*
 * A mean is between the limits of k hits if the chance of an outcome as extreme as k is above 1 - level: the smaller
 * of P(X <= k) and P(X >= k), and the largest chance of the other tail that is not above it.  By level and by k
 * (tests/host/test_few_hits.c computes them).
 */
static const double low[LEVELS][FEW + 1] = {
    {
        0, 0.05129, 0.35536, 0.81769, 1.36632, 1.97015, 2.61301, 3.16194, 3.55014, 4.46014, 5.12258, 5.52571,
        6.64120, 7.05405, 8.10206, 8.55980, 9.59844, 10.05437, 11.11532, 11.54253, 12.59679, 13.02666,
        14.07606, 14.92054, 15.55379, 16.59329, 17.03041, 18.06794, 19.05051, 19.54211, 20.57418, 21.36446,
        22.04703, 23.07521, 23.76181, 24.54734, 25.57264, 26.30644, 27.04438, 28.06745, 28.96605, 29.53901,
        30.56032, 31.58020, 32.03181, 33.05169, 34.07034, 34.66503, 35.54189, 36.55951, 37.57615,
    },
    {
        0, 0.00100, 0.04540, 0.19053, 0.42855, 0.73937, 1.10710, 1.52034, 1.97081, 2.45242, 2.96052, 3.49148,
        4.04244, 4.61106, 5.19544, 5.79398, 6.40533, 6.98031, 7.35751, 8.02265, 8.83992, 9.45921, 9.84641,
        10.71007, 11.47030, 11.86432, 12.72770, 13.44508, 13.84399, 14.88626, 15.40083, 16.10895, 16.93876,
        17.34521, 18.46369, 18.87338, 19.87274, 20.39172, 21.26655, 21.90266, 22.68152, 23.40788, 24.13194,
        24.90857, 25.63102, 26.40561, 27.17928, 27.89964, 28.76418, 29.39120, 30.37178,
    },
};

static const double high[LEVELS][FEW + 1] = {
    {
        3.55014, 5.52571, 7.05405, 8.55980, 10.05437, 11.54253, 13.02666, 14.07606, 15.55379, 17.03041,
        18.06794, 19.54211, 20.57418, 22.04703, 23.07521, 24.54734, 25.57264, 27.04438, 28.06745, 29.53901,
        30.56032, 32.03181, 33.05169, 34.07034, 35.54189, 36.55951, 38.03115, 39.04791, 40.06379, 41.53567,
        42.55090, 43.56540, 45.03757, 46.05157, 47.06495, 48.53743, 49.55042, 50.56288, 52.03568, 53.04783,
        54.05951, 55.53262, 56.54406, 57.55509, 59.02849, 60.03932, 61.04979, 62.05990, 63.53378, 64.54376,
        65.55342,
    },
    {
        7.35751, 9.84641, 11.86432, 13.84399, 15.40083, 17.34521, 18.87338, 20.39172, 21.90266, 23.40788,
        24.90857, 26.40561, 27.89964, 29.39120, 30.88066, 32.36834, 33.85451, 34.91137, 36.39419, 37.87607,
        39.35713, 40.40555, 41.88458, 43.36308, 44.40666, 45.88372, 47.36043, 48.40024, 49.87590, 50.97212,
        52.38810, 53.86274, 54.89751, 56.37153, 57.40452, 58.87803, 59.90946, 61.38255, 62.85557, 63.88533,
        65.35803, 66.38657, 67.85901, 68.88645, 70.35868, 71.38513, 72.85718, 73.88272, 74.95973, 76.37934,
        77.40335,
    },
};

bool few_hits(double hits, double samples)
{
    return hits < FEW && hits * hits < POISSON * samples;
}

/* At `hits`, which need not be a whole number, on the straight lines between those that are. */
static double at(const double *limit, double hits)
{
    const unsigned whole = (unsigned)hits;

    return limit[whole] + (hits - whole) * (limit[whole + 1] - limit[whole]);
}

struct confidence few_hits_limits(double hits, double samples, enum level level)
{
    const double most = at(high[level], hits) / samples;

    return (struct confidence){hits / samples, at(low[level], hits) / samples, most < 1 ? most : 1};
}

/*
 * The estimator of a run.  To find the spread of the policy's intervals, the
 * schedule is prepared again.
 */

struct estimator estimator_of_run(const struct config *words, uint64_t mean,
                                  uint32_t minimum)
{
    struct schedule schedule;
    const struct schedule_request request = {
        .policy = words->interval,
        .mean = mean,
        .minimum = minimum,
        .spread = (uint32_t)words->spread,
        .seed = 1,
    };

    if (mean == 0 || schedule_init(&schedule, &request) != 0)
        return (struct estimator){ PAIR_NEVER, 0, "no schedule", 0 };
    return estimator_of(schedule.policy, (uint32_t)words->spread, confidence_cv2(&schedule));
}

/*
 * Of a block of 2k ticks two are told.  Were all ticks told, the variance would be (cv2 + (1 - cv2) r) p(1-p)/(k n),
 * r the discord of ticks beside each other; the choice of two adds (1 - 1/k) d p(1-p)/n, d the discord of the pairs
 * that were told.  A load that forgets has r <= d; with
 * r = d the sum is (cv2/k + (1 - cv2/k) d) p(1-p)/n.
 */
struct estimator estimator_of_thinned(struct estimator whole, uint64_t factor)
{
    if (factor <= 1 || whole.pairing == PAIR_NEVER)
        return whole;
    return (struct estimator){PAIR_STRATUM, whole.cv2 / factor, whole.reason, whole.bias};
}
