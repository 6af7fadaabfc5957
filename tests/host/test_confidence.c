/* SPDX-License-Identifier: MIT */
/*
 * The intervals: the paper's own column, Wilson's from published tables,
 * Student's t against the integral of its density, and what must hold always.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/estimate/confidence.h"
#include "probe/schedule/carta.h"
#include "probe/schedule/schedule.h"
#include "tests/host/near.h"

/* The two-sided critical value of the normal distribution: Student's t with as good as all degrees of freedom. */
static double normal(enum level level)
{
    return confidence_t(level, 1ull << 62);
}

static struct estimator of(enum pairing pairing)
{
    return (struct estimator){.pairing = pairing, .cv2 = pairing == PAIR_EACH ? 1 / 3.0 : 0};
}

/*
 * Crowe, Figure 3: total in percent and the +- beside it, 7200 samples.  The
 * total is rounded to 0.1, so any number of hits that prints so may be meant.
 */
static void test_wald_figure3(void **state)
{
    static const struct {
        double percent, plus_minus;
    } rows[] = {
        {0.1, 0.05}, {0.1, 0.06}, {0.1, 0.07}, {0.4, 0.15},  {0.9, 0.22}, {1.0, 0.23},
        {7.5, 0.61}, {3.1, 0.40}, {1.4, 0.27}, {6.5, 0.57},  {2.9, 0.39}, {3.2, 0.40},
        {3.7, 0.44}, {43.2, 1.14}, {3.9, 0.45}, {1.2, 0.25}, {0.0, 0.05}, {2.8, 0.38},
        {0.4, 0.14}, {0.2, 0.11}, {1.9, 0.31}, {2.0, 0.32},  {0.0, 0.04}, {0.2, 0.09},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double best = 1;

        for (uint64_t hits = 0; hits <= 7200; hits++) {
            struct tally t = {hits, 7200, 0};
            struct confidence w = confidence_wald(&t, LEVEL_95);

            if (fabs(100 * w.estimate - rows[i].percent) <= 0.05)
                best = fmin(best, fabs(50 * (w.high - w.low) - rows[i].plus_minus));
        }
        check_near(best, 0, 0.005);
    }
    check_near(100 * (confidence_wald(&(struct tally){3110, 7200, 0}, LEVEL_95).high -
                      3110 / 7200.0), 1.14, 0.005);
    /* n - 1, which 7200 samples do not show: 1.96 x sqrt(0.25/9). */
    check_near(confidence_wald(&(struct tally){5, 10, 0}, LEVEL_95).high, 0.82666, 0.00001);
}

static void test_wald_is_not_cut(void **state)
{
    struct confidence one = confidence_wald(&(struct tally){1, 1, 0}, LEVEL_95);
    struct confidence none = confidence_wald(&(struct tally){0, 0, 0}, LEVEL_95);

    (void)state;
    assert_true(confidence_wald(&(struct tally){1, 100, 0}, LEVEL_95).low < 0);
    assert_true(confidence_wald(&(struct tally){99, 100, 0}, LEVEL_95).high > 1);
    assert_true(one.low == 1 && one.estimate == 1 && one.high == 1);
    assert_true(none.low == 0 && none.high == 0);
}

/* Newcombe, Statistics in Medicine 17, 1998, table I, method 3. */
static void test_wilson_published(void **state)
{
    static const struct {
        uint64_t hits, samples;
        double low, high;
    } rows[] = {
        {81, 263, 0.2553, 0.3662},
        {15, 148, 0.0624, 0.1605},
        {0, 20, 0, 0.1611},
        {1, 29, 0.0061, 0.1718},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tally t = {rows[i].hits, rows[i].samples, 0};
        struct confidence w = confidence_wilson(&t, LEVEL_95);

        check_near(w.low, rows[i].low, 0.00005);
        check_near(w.high, rows[i].high, 0.00005);
    }
}

/* P(|T| <= t): Simpson's rule on the density, its constant by lgamma. */
static double within_t(double t, double freedom)
{
    const int steps = 40000;
    /* tan() makes the long tail of few degrees short: x = tan(u). */
    double end = atan(t), h = end / steps, sum = 0;
    double constant = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) /
                      sqrt(freedom * 3.14159265358979323846);

    for (int i = 0; i <= steps; i++) {
        double x = tan(i * h);
        double f = pow(1 + x * x / freedom, -(freedom + 1) / 2) * (1 + x * x);

        sum += f * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
    }
    return 2 * constant * sum * h / 3;
}

static void test_student(void **state)
{
    (void)state;
    for (uint64_t v = 1; v <= 60; v++) {
        check_near(within_t(confidence_t(LEVEL_95, v), (double)v), 0.95, 2e-6);
        check_near(within_t(confidence_t(LEVEL_999, v), (double)v), 0.999, 5e-7);
    }
    check_near(within_t(confidence_t(LEVEL_999, 1000), 1000), 0.999, 5e-7);
    for (int level = LEVEL_95; level < LEVELS; level++) {
        assert_true(confidence_t(level, 0) == confidence_t(level, 1));
        for (uint64_t v = 1; v < 200; v++)
            assert_true(confidence_t(level, v + 1) < confidence_t(level, v));
        check_near(normal(level), level == LEVEL_95 ? 1.959963984540054 : 3.290526731491926, 1e-12);
    }
    check_near(erf(normal(LEVEL_95) / sqrt(2)), 0.95, 1e-12);
    check_near(erf(normal(LEVEL_999) / sqrt(2)), 0.999, 1e-12);
}

static void test_deff(void **state)
{
    struct estimator strata = of(PAIR_STRATUM), runs = of(PAIR_EACH), never = of(PAIR_NEVER);
    struct tally t = {250, 1000, 187}; /* n p (1-p) = 187.5 */

    (void)state;
    check_near(confidence_deff(&strata, &t), 188 / 187.5, 1e-12);
    check_near(confidence_deff(&runs, &t), 1 / 3.0 + 2 / 3.0 * 187 / 375, 1e-12);
    assert_true(confidence_deff(&never, &t) == 1);
    strata.cv2 = 0.1; /* thinned samples of `random` or `exponential` */
    check_near(confidence_deff(&strata, &t), 0.1 + 0.9 * 188 / 187.5, 1e-12);
    t.changes = 0;
    check_near(confidence_freedom(&strata, &t), pow(1 + 0.1 / (0.9 / 187.5), 2), 1e-9);
    for (uint64_t hits = 0; hits <= 1000; hits += 1000) {
        t = (struct tally){hits, 1000, 0};
        assert_true(confidence_deff(&strata, &t) == 1);
        assert_true(confidence_deff(&runs, &t) == 1);
    }
}

/* Wilson's interval, written down once more. */
static void wilson_again(double p, double n, double z, double *low, double *high)
{
    double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

    *low = centre - half;
    *high = centre + half;
}

/* From 50 hits on, or where many of the samples are hits: Wilson's with n/deff. */
static void test_wilson_definition(void **state)
{
    static const struct tally rows[] = {{3110, 7200, 2500}, {50, 7200, 40}, {40, 90, 25}, {7150, 7200, 40}};
    struct estimator e = of(PAIR_STRATUM);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tally *t = &rows[i];
        double p = (double)t->hits / (double)t->samples;
        double n = p * (1 - p) * (double)t->samples * (double)t->samples /
                   ((double)t->changes + 1);
        struct confidence got = confidence_of(&e, t, LEVEL_95);
        double low, high;

        wilson_again(p, n, normal(LEVEL_95), &low, &high);
        check_near(got.low, low, 1e-12);
        check_near(got.high, high, 1e-12);
    }
}

/*
 * Few hits are those of n/deff samples, deff widened by Student's t, and of no fewer than n: t knows next to nothing
 * of {20, 60000, 0}.  The 8 runs of 16 hits are 4 pairs, which show a third of the variance: 3 * 3 * 4 degrees,
 * rounded down.
 */
static void test_few_definition(void **state)
{
    static const struct {
        enum pairing pairing;
        struct tally tally;
        double deff; /* before Student's t; 0: as many independent samples */
        uint64_t freedom;
    } rows[] = {
        {PAIR_STRATUM, {20, 60000, 0}, 0, 0},
        {PAIR_STRATUM, {30, 60000, 30}, 0, 0},
        {PAIR_STRATUM, {25, 60000, 14}, 15 / (25 * (1 - 25 / 60000.0)), 14},
        {PAIR_STRATUM, {1, 60000, 1}, 0, 0},
        {PAIR_EACH, {1, 60000, 2}, 0, 0},
        {PAIR_EACH, {15, 60000, 30}, 0, 0},
        {PAIR_EACH, {16, 60000, 8}, 1 / 3.0 + 2 / 3.0 * 4 / (16 * (1 - 16 / 60000.0)), 35},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tally *t = &rows[i].tally;
        const struct estimator e = of(rows[i].pairing);
        const double wider = confidence_t(LEVEL_95, rows[i].freedom) / normal(LEVEL_95);
        const double deff = rows[i].deff > 0 ? rows[i].deff * wider * wider : 1;
        const struct confidence got = confidence_of(&e, t, LEVEL_95);
        const struct confidence few = few_hits_limits((double)t->hits / deff, (double)t->samples / deff, LEVEL_95);
        const struct tally misses = {t->samples - t->hits, t->samples, t->changes};
        const struct confidence mirror = confidence_of(&e, &misses, LEVEL_95);

        check_near(got.low, few.low, 1e-12);
        check_near(got.high, few.high, 1e-12);
        check_near(1 - mirror.high, got.low, 1e-12);
        check_near(1 - mirror.low, got.high, 1e-12);
    }
}

static void test_certain_cells(void **state)
{
    struct estimator e = of(PAIR_STRATUM);
    struct tally none = {0, 7200, 0}, all = {7200, 7200, 0}, empty = {0, 0, 0};
    struct confidence i = confidence_of(&e, &none, LEVEL_95);

    (void)state;
    assert_true(i.low == 0 && i.estimate == 0);
    check_near(i.high, few_hits_limits(0, 7200, LEVEL_95).high, 0);
    i = confidence_of(&e, &all, LEVEL_95);
    assert_true(i.high == 1 && i.estimate == 1 && i.low > 0.999);
    i = confidence_of(&e, &empty, LEVEL_95);
    assert_true(i.low == 0 && i.high == 1);
    i = confidence_wilson(&empty, LEVEL_999);
    assert_true(i.low == 0 && i.high == 1);
}

static void check_order(struct confidence i, struct confidence wider)
{
    assert_true(0 <= i.low && i.low <= i.estimate && i.estimate <= i.high && i.high <= 1);
    assert_true(wider.low <= i.low && i.high <= wider.high);
}

static void test_always_in_order(void **state)
{
    struct estimator estimators[] = {of(PAIR_STRATUM), of(PAIR_EACH)};
    uint32_t x = 1;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        uint64_t n = 1 + (carta_below(&x, 1ull << 32) >> carta_below(&x, 32));
        struct tally t = {carta_below(&x, n + 1), n, 0};
        struct estimator *const e = &estimators[round & 1];

        e->bias = carta_below(&x, 3) / 16.0;
        t.changes = carta_below(&x, 2 * (t.hits < n - t.hits ? t.hits : n - t.hits) + 1);
        check_order(confidence_of(e, &t, LEVEL_95), confidence_of(e, &t, LEVEL_999));
        check_order(confidence_wilson(&t, LEVEL_95), confidence_wilson(&t, LEVEL_999));
    }
}

/*
 * Of many samples, so that chance is nothing: the truth is inside however much of the points that handlers have too
 * few of this code had, and it is at an end where that was all or none.
 */
static void test_bias(void **state)
{
    const uint64_t many = 1000000000000000;
    struct estimator e = of(PAIR_STRATUM);

    (void)state;
    for (double truth = 0; truth <= 1; truth += 0.0625)
        for (e.bias = 0; e.bias <= 0.25; e.bias += 0.03125)
            for (double part = 0; part <= 1; part += 0.25) {
                const double share = (truth + part * e.bias) / (1 + e.bias);
                const struct tally t = {(uint64_t)(share * (double)many), many, 1000000000};
                const struct confidence i = confidence_of(&e, &t, LEVEL_95);

                assert_true(i.low <= truth + 1e-6 && truth - 1e-6 <= i.high);
                assert_true(part != 0 || truth == 1 || fabs(i.high - truth) < 1e-6);
                assert_true(part != 1 || truth == 0 || fabs(i.low - truth) < 1e-6);
            }
}

/* More samples of the same mixture, less doubt; more discord, more doubt. */
static void test_monotone(void **state)
{
    struct estimator e = of(PAIR_STRATUM);
    double last = 1;

    (void)state;
    for (uint64_t k = 1; k <= 1000; k *= 10) {
        struct tally t = {60 * k, 200 * k, 40 * k};
        struct confidence i = confidence_of(&e, &t, LEVEL_95);

        assert_true(i.high - i.low < last);
        last = i.high - i.low;
    }
    last = 0;
    for (uint64_t changes = 0; changes <= 100; changes++) {
        struct tally t = {100, 1000, changes};
        struct confidence i = confidence_of(&e, &t, LEVEL_95);

        assert_true(i.high - i.low > last);
        last = i.high - i.low;
    }
}

static struct estimator begun(enum interval_policy policy, uint32_t minimum, uint32_t spread)
{
    struct schedule_request request = {.policy = policy, .mean = 10000 << 16,
                                       .minimum = minimum, .spread = spread, .seed = 1};
    struct schedule s;

    assert_null(schedule_init(&s, &request));
    return estimator_of(s.policy, s.spread, confidence_cv2(&s));
}

static void test_estimators(void **state)
{
    struct estimator e = begun(INTERVAL_STRATIFIED, 100, 2000);

    (void)state;
    assert_null(e.reason);
    assert_int_equal(e.pairing, PAIR_STRATUM);
    e = begun(INTERVAL_RANDOM, 1, 2000);
    assert_null(e.reason);
    assert_int_equal(e.pairing, PAIR_EACH);
    check_near(e.cv2, 1 / 3.0, 1e-4);
    e = begun(INTERVAL_RANDOM, 100, 1000);
    assert_null(e.reason);
    check_near(e.cv2, 1 / 12.0, 1e-6);
    assert_string_equal(begun(INTERVAL_RANDOM, 100, 999).reason, "spread too small");
    /* The minimum leaves 0.8 T of the 2 T that were asked. */
    assert_string_equal(begun(INTERVAL_RANDOM, 6000, 2000).reason, "spread too small");
    e = begun(INTERVAL_FIXED, 100, 2000);
    assert_string_equal(e.reason, "fixed ticks");
    assert_true(e.cv2 == 0);
    e = begun(INTERVAL_EXPONENTIAL, 100, 0);
    assert_null(e.reason);
    assert_int_equal(e.pairing, PAIR_EACH);
    check_near(e.cv2, 0.9835173 * 0.99 * 0.99, 1e-6);
    assert_string_equal(begun(INTERVAL_EXPONENTIAL, 9000, 0).reason, "spread too small");
    assert_string_equal(begun(INTERVAL_NARROW, 100, 2000).reason, "narrow jitter");
    assert_string_equal(begun(INTERVAL_ARITHMETIC, 100, 2000).reason, "arithmetic intervals");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wald_figure3),
        cmocka_unit_test(test_wald_is_not_cut),
        cmocka_unit_test(test_wilson_published),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_deff),
        cmocka_unit_test(test_wilson_definition),
        cmocka_unit_test(test_few_definition),
        cmocka_unit_test(test_certain_cells),
        cmocka_unit_test(test_always_in_order),
        cmocka_unit_test(test_bias), cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_estimators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
