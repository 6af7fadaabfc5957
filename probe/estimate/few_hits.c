/* SPDX-License-Identifier: MIT */
/*
 * Limits that few hits put on a share, from a table of exact intervals of a Poisson mean: Blaker, "Confidence curves
 * and improved exact confidence intervals for discrete distributions", Canadian Journal of Statistics 28, 2000.
 */
/* Uses vector registers: task context only. */
#include "probe/estimate/few_hits.h"

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
