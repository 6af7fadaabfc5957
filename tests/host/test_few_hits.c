/* SPDX-License-Identifier: MIT */
/*
 * Compares the table of few hits with Blaker's definition, and checks that it covers every mean, and the order of the
 * limits for numbers that are not whole.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/estimate/confidence.h"
#include "tests/host/near.h"

#define FEW      50
#define OUTCOMES 300
#define SAMPLES  1e6 /* so many that no limit is cut at 1 */

static const double chances[LEVELS] = {0.05, 0.001};

/* The chances of each outcome of a Poisson count with this mean. */
static void poisson(double chance[OUTCOMES], double mean)
{
    chance[0] = exp(-mean);
    for (unsigned k = 1; k < OUTCOMES; k++)
        chance[k] = chance[k - 1] * mean / k;
}

static double sum(const double *chance, unsigned from, unsigned to)
{
    double all = 0;

    for (unsigned k = from; k < to; k++)
        all += chance[k];
    return all;
}

/* The chance of an outcome as extreme as `hits`: of its tail, and of as much of the other as is not more likely. */
static double acceptable(unsigned hits, double mean)
{
    double chance[OUTCOMES], below, above, other = 0;
    unsigned k;

    poisson(chance, mean);
    below = sum(chance, 0, hits + 1);
    above = sum(chance, hits, OUTCOMES);
    if (below < above) {
        for (k = OUTCOMES; k > 0 && other + chance[k - 1] <= below; k--)
            other += chance[k - 1];
        return below + other;
    }
    for (k = 0; k < OUTCOMES && other + chance[k] <= above; k++)
        other += chance[k];
    return fmin(1, above + other);
}

static struct confidence limits(double hits, enum level level)
{
    struct confidence i = few_hits_limits(hits, SAMPLES, level);

    return (struct confidence){i.estimate * SAMPLES, i.low * SAMPLES, i.high * SAMPLES};
}

/* A hair inside each limit the mean is acceptable; nowhere outside is any. */
static void test_table(void **state)
{
    (void)state;
    for (int level = LEVEL_95; level < LEVELS; level++)
        for (unsigned k = 0; k < FEW; k++) {
            const struct confidence i = limits(k, level);

            assert_true(acceptable(k, i.high - 1e-5) > chances[level]);
            for (double mean = i.high + 1e-5; mean < 1.5 * i.high; mean += i.high / 500)
                assert_true(acceptable(k, mean) <= chances[level]);
            if (k == 0)
                continue;
            assert_true(acceptable(k, i.low + 1e-5) > chances[level]);
            for (double mean = i.low - 1e-5; mean > i.low / 4; mean -= i.low / 500)
                assert_true(acceptable(k, mean) <= chances[level]);
        }
}

/* One hit or more has the chance 5 % at -ln(0.95); Clopper's and Pearson's limits, 0.0253 and 5.5716, are wider. */
static void test_known(void **state)
{
    (void)state;
    check_near(limits(1, LEVEL_95).low, -log(0.95), 1e-5);
    assert_true(limits(1, LEVEL_95).high < 5.5716 && limits(0, LEVEL_95).high < 3.6889);
    assert_true(limits(0, LEVEL_95).low == 0);
}

/* In no mean of a Poisson count, and in no share of independent samples, less than the level. */
static void test_covers(void **state)
{
    (void)state;
    for (int level = LEVEL_95; level < LEVELS; level++)
        for (double mean = 0.01; mean < 20; mean *= 1.003) {
            double chance[OUTCOMES], covered = 0;

            poisson(chance, mean);
            for (unsigned k = 0; k < FEW; k++)
                covered += limits(k, level).low <= mean && mean <= limits(k, level).high ? chance[k] : 0;
            assert_true(covered >= 1 - chances[level] - 1e-6);
        }
    for (unsigned n = 1; n <= 40; n++)
        for (double p = 0.005; p < 0.5; p += 0.005) {
            double chance = pow(1 - p, n), covered = 0;

            for (unsigned k = 0; k <= n; k++) {
                struct confidence i = few_hits_limits(k, n, LEVEL_95);

                covered += i.low <= p && p <= i.high ? chance : 0;
                chance *= p / (1 - p) * (n - k) / (k + 1);
            }
            assert_true(covered >= 0.95 - 1e-6);
        }
}

static void test_order(void **state)
{
    struct confidence last = limits(0, LEVEL_95);

    (void)state;
    for (double hits = 0.01; hits < FEW; hits += 0.01) {
        struct confidence i = limits(hits, LEVEL_95), wide = limits(hits, LEVEL_999);

        assert_true(last.low <= i.low && last.high <= i.high);
        assert_true(wide.low <= i.low && i.low <= hits && hits <= i.high && i.high <= wide.high);
        last = i;
    }
    assert_true(few_hits_limits(0, 1, LEVEL_95).high == 1);
}

/* Few: below 50, and so rare that a Poisson count's variance, hits, is right within ten hits. */
static void test_few(void **state)
{
    (void)state;
    assert_true(few_hits(0, 1) && few_hits(49, 1e9) && !few_hits(50, 1e9));
    assert_true(few_hits(31, 100) && !few_hits(32, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_known), cmocka_unit_test(test_covers),
        cmocka_unit_test(test_order), cmocka_unit_test(test_few),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
