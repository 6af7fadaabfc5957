/* SPDX-License-Identifier: MIT */
/* The schedule: rates, strata, floors and refusals (docs/ACCOUNTING.md, "The schedule"). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/schedule/carta.h"
#include "tests/host/schedules.h"

static const char *refusal(enum interval_policy policy, uint64_t mean, uint32_t minimum,
                           uint32_t handler, uint32_t spread)
{
    struct schedule_request request = {.policy = policy, .mean = mean, .minimum = minimum,
                                       .handler = handler, .spread = spread, .seed = 1};
    struct schedule s;

    return schedule_init(&s, &request);
}

static void test_fixed(void **state)
{
    struct schedule s = begun(INTERVAL_FIXED, (9943 << 16) + 0x8000, 100, 2000, 1);

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(schedule_next(&s), 9944);
        assert_false(s.pair);
    }
    s = begun(INTERVAL_FIXED, (9943 << 16) + 0x7fff, 100, 0, 1);
    assert_int_equal(schedule_next(&s), 9943);
}

/* After each pair the sum lies in its stratum, to the count, a million strata on. */
static void test_strata(void **state)
{
    const uint64_t mean = (1000 << 16) + 12345;
    struct schedule s = begun(INTERVAL_STRATIFIED, mean, 1, 2000, 99);

    (void)state;
    for (uint64_t stratum = 0; stratum < 1000000; stratum++) {
        uint64_t start = (stratum * 2 * mean) >> 16, end = ((stratum + 1) * 2 * mean) >> 16;

        schedule_next(&s);
        /* A floor of one count can push a point of a pair one count on. */
        if (s.sum < start || s.sum > end + 1)
            fail_msg("stratum %lu: first point at %lu", stratum, s.sum);
        schedule_next(&s);
        if (s.sum < start || s.sum > end + 2)
            fail_msg("stratum %lu: second point at %lu", stratum, s.sum);
    }
}

/* The largest floor that is allowed: pushed points come back to their strata. */
static void test_floor_does_not_drift(void **state)
{
    const uint64_t mean = 2000 << 16;
    const uint32_t minimum = 90; /* and a handler of 10: T/20 */
    struct schedule s = begun(INTERVAL_STRATIFIED, mean, minimum, 2000, 7);
    unsigned floors = 0;

    (void)state;
    for (uint64_t stratum = 0; stratum < 500000; stratum++) {
        floors += schedule_next(&s) == minimum;
        floors += schedule_next(&s) == minimum;
        if (s.sum < stratum * 4000 || s.sum > (stratum + 1) * 4000 + 6 * minimum)
            fail_msg("stratum %lu ends at %lu", stratum, s.sum);
    }
    /* Within a pair 1 - (1 - m/2T)^2, between strata half (m/2T)^2, of 2 intervals. */
    assert_in_range(floors, 20000, 26000);
}

/* Where u is uniform: mean 1/2, variance 1/12, and no lag-one correlation. */
static void test_points_are_uniform(void **state)
{
    struct schedule s = begun(INTERVAL_STRATIFIED, 100000ull << 16, 1, 2000, 12345);
    const int strata = 200000;
    double mean = 0, square = 0, product = 0;

    (void)state;
    for (int i = 0; i < strata; i++) {
        double start = i * 200000.0, a, b;

        schedule_next(&s);
        a = ((double)s.sum - start) / 200000;
        schedule_next(&s);
        b = ((double)s.sum - start) / 200000;
        mean += a + b;
        square += a * a + b * b;
        product += (a - 0.5) * (b - 0.5);
    }
    /* Five standard errors. */
    assert_true(fabs(mean / (2 * strata) - 1 / 2.0) < 5 * sqrt(1 / 12.0 / (2 * strata)));
    assert_true(fabs(square / (2 * strata) - 1 / 3.0) < 5 * sqrt(4 / 45.0 / (2 * strata)));
    assert_true(fabs(product / strata) < 5 / 12.0 / sqrt(strata));
}

static void test_mean_rate(void **state)
{
    static const struct {
        enum interval_policy policy;
        uint64_t mean;
        uint32_t minimum, spread;
    } rows[] = {
        {INTERVAL_STRATIFIED, (PIT_HZ << 16) / 120, 119, 2000},
        {INTERVAL_STRATIFIED, (PIT_HZ << 16) / 400, 119, 2000},
        {INTERVAL_STRATIFIED, ((uint64_t)3000 << 16) + 1, 139, 2000},
        {INTERVAL_STRATIFIED, 1ull << 46, 119, 2000},
        {INTERVAL_RANDOM, (PIT_HZ << 16) / 120, 119, 2000},
        {INTERVAL_RANDOM, (PIT_HZ << 16) / 1000, 119, 1000},
        {INTERVAL_RANDOM, ((uint64_t)300 << 16) + 0x8000, 119, 2000},
        {INTERVAL_EXPONENTIAL, (PIT_HZ << 16) / 120, 119, 2000},
        {INTERVAL_EXPONENTIAL, ((uint64_t)300 << 16) + 0x8000, 119, 0},
        {INTERVAL_EXPONENTIAL, (1ull << 47) - 1, 1, 0},
        {INTERVAL_EXPONENTIAL, (uint64_t)119 << 16, 119, 0},
        {INTERVAL_NARROW, (PIT_HZ << 16) / 120, 119, 2000},
        {INTERVAL_NARROW, ((uint64_t)300 << 16) + 0x8000, 119, 0},
        {INTERVAL_ARITHMETIC, (PIT_HZ << 16) / 20, 119, 2000},
        {INTERVAL_ARITHMETIC, ((uint64_t)600 << 16) + 0x8000, 119, 0},
        {INTERVAL_ARITHMETIC, 1ull << 46, 119, 0},
    };
    const int intervals = 400000;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct schedule s = begun(rows[i].policy, rows[i].mean, rows[i].minimum,
                                  rows[i].spread, 31415);
        double mean = (double)rows[i].mean / 65536;
        /* Strata end where they must; a sum of random intervals spreads. */
        double within = s.policy == &policy_stratified
                            ? 2 * mean
                        : s.policy == &policy_narrow ? mean
                        : 5 * mean * sqrt(intervals);

        for (int k = 0; k < intervals; k++)
            assert_true(schedule_next(&s) >= rows[i].minimum);
        if (fabs((double)s.sum - intervals * mean) > within)
            fail_msg("row %zu: mean %.6f, not %.6f", i, (double)s.sum / intervals, mean);
    }
}

static void test_random_bounds(void **state)
{
    (void)state;
    for (uint32_t spread = 0; spread <= 2000; spread += 50) {
        struct schedule s = begun(INTERVAL_RANDOM, 10000 << 16, 119, spread, 5);
        uint64_t least = UINT64_MAX, most = 0;
        double half = 10000.0 * spread / 2000;
        double low = 10000 - half < 119 ? 119 : 10000 - half;

        for (int i = 0; i < 200000; i++) {
            uint64_t interval = schedule_next(&s);

            least = interval < least ? interval : least;
            most = interval > most ? interval : most;
        }
        assert_true(fabs((double)least - low) <= 3);
        assert_true(fabs((double)most - (20000 - low)) <= 3);
    }
}

/* ---- points in clock time: minimum 0 ---- */

#define EXACT_MEAN ((1000ull << 16) + 12345) /* units, with a fraction */

/* Floor of n means, units. */
static uint64_t means(uint64_t n)
{
    return (uint64_t)((unsigned __int128)n * EXACT_MEAN >> 16);
}

/* Point n of fixed intervals is n means, rounded down: no fraction of a unit is lost in a million. */
static void test_exact_fixed(void **state)
{
    struct schedule s = begun(INTERVAL_FIXED, EXACT_MEAN, 0, 2000, 1);

    (void)state;
    for (uint64_t n = 1; n <= 1000000; n++) {
        schedule_next(&s);
        if (s.sum != means(n))
            fail_msg("point %lu is at %lu, not %lu", n, s.sum, means(n));
    }
}

/* Point n of narrow jitter is n means and a number below the window of 0.64 %. */
static void test_exact_narrow(void **state)
{
    struct schedule s = begun(INTERVAL_NARROW, EXACT_MEAN, 0, 2000, 7);
    uint64_t most = 0;

    (void)state;
    for (uint64_t n = 1; n <= 1000000; n++) {
        schedule_next(&s);
        if (s.sum - means(n) >= 6)
            fail_msg("point %lu is at %lu, %lu are its means", n, s.sum, means(n));
        most = s.sum - means(n) > most ? s.sum - means(n) : most;
    }
    assert_int_equal(most, 5);
}

/* Both points of stratum k are in it, to the unit: from k 2T up to (k + 1) 2T, and nothing is pushed out of it. */
static void check_strata(struct schedule s)
{
    unsigned together = 0;

    for (uint64_t stratum = 0; stratum < 200000; stratum++) {
        const uint64_t start = means(2 * stratum), end = means(2 * stratum + 2);

        for (unsigned i = 0; i < 2; i++) {
            together += schedule_next(&s) == 0;
            assert_int_equal(s.pair, i);
            if (s.sum < start || s.sum >= end)
                fail_msg("stratum %lu from %lu to %lu: point %u at %lu", stratum, start, end, i, s.sum);
        }
    }
    assert_in_range(together, 60, 140); /* pairs in one unit: 100 of 200000, and 4 standard errors */
}

static void test_exact_strata(void **state)
{
    (void)state;
    check_strata(begun(INTERVAL_STRATIFIED, EXACT_MEAN, 0, 2000, 99));
    check_strata(keyed(INTERVAL_STRATIFIED, EXACT_MEAN, 0, 99));
}

/*
 * The bounds of random intervals add up to exactly 2T, and the fraction of the lower one is carried:
 * no unit of the sum is lost.
 */
static void test_exact_random(void **state)
{
    (void)state;
    for (uint32_t spread = 0; spread <= 2000; spread += 250) {
        struct schedule s = begun(INTERVAL_RANDOM, EXACT_MEAN, 0, spread, 5);
        const uint64_t range = s.width - 1, twice = 2 * ((s.base << 16) + s.part) + (range << 16);
        uint64_t drawn = 0;
        uint32_t generator = (uint32_t)s.generator;

        assert_int_equal(twice, 2 * EXACT_MEAN);
        assert_true(range <= spread && range + 2 >= spread);
        for (uint64_t n = 1; n <= 200000; n++) {
            const uint64_t interval = schedule_next(&s);

            drawn += carta_below(&generator, s.width);
            assert_in_range(interval, s.base, s.base + range + 1);
            assert_int_equal(s.sum, drawn + (n * ((s.base << 16) + s.part) >> 16));
        }
    }
}

/*
 * Exponential and arithmetic intervals of any length, and the mean of all of them: 5 standard errors,
 * and the widest one is T.
 */
static void test_exact_means(void **state)
{
    static const enum interval_policy spreading[] = {INTERVAL_EXPONENTIAL, INTERVAL_ARITHMETIC};
    const double n = 400000, mean = (double)EXACT_MEAN / 65536;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct schedule s = begun(spreading[i], EXACT_MEAN, 0, 2000, 31415);

        for (int k = 0; k < (int)n; k++)
            schedule_next(&s);
        if (fabs((double)s.sum - n * mean) > 5 * mean * sqrt(n))
            fail_msg("%s: mean %.3f, not %.3f", s.policy->name, (double)s.sum / n, mean);
    }
}

/* Points closer than a handler: a part of all that theory gives, 5 standard errors of 4096. */
static void test_crowded(void **state)
{
    static const struct {
        enum interval_policy policy;
        unsigned handler;
        double share;
    } rows[] = {
        /*
         * Of the points of strata that are 2T long: 1 - (1 - x)^2 of the second ones, x^2 / 2 of the first;
         * of intervals: F(h).
         */
        {INTERVAL_STRATIFIED, 100, (1 - 0.95 * 0.95 + 0.05 * 0.05 / 2) / 2},
        {INTERVAL_RANDOM, 100, 0.05},
        /* h / (T + h) */
        {INTERVAL_EXPONENTIAL, 10, 1.0 / 101}, {INTERVAL_EXPONENTIAL, 100, 1.0 / 11},
        {INTERVAL_EXPONENTIAL, 500, 1.0 / 3},
        {INTERVAL_FIXED, 999, 0}, {INTERVAL_NARROW, 900, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct schedule s = begun(rows[i].policy, 1000 << 16, 0, 2000, 3);
        const double found = schedule_crowded(&s, rows[i].handler) / 1000.0;

        if (fabs(found - rows[i].share) > 5 * sqrt(rows[i].share / 4096) + 0.001)
            fail_msg("%s: %.3f, not %.3f", s.policy->name, found, rows[i].share);
    }
}

/* Four means of any rate fit below 2^31 units, and a unit is no coarser than that needs. */
static void test_shift(void **state)
{
    (void)state;
    assert_int_equal(schedule_shift(1 << 16), 1);
    assert_int_equal(schedule_shift(((1ull << 30) - 1) << 16), 1);
    for (unsigned bit = 30; bit < 47; bit++) {
        assert_int_equal(schedule_shift(1ull << (bit + 16)), bit - 28);
        assert_true((1ull << bit >> schedule_shift(1ull << (bit + 16))) * 4 < 1ull << 31);
    }
}

static void test_determinism(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct schedule a = begun(policies[i], 5000 << 16, 50, 2000, 42);
        struct schedule b = begun(policies[i], 5000 << 16, 50, 2000, 42);
        struct schedule other = begun(policies[i], 5000 << 16, 50, 2000, 43);
        int differ = 0;

        for (int k = 0; k < 1000; k++) {
            uint64_t interval = schedule_next(&a);

            assert_int_equal(interval, schedule_next(&b));
            differ += interval != schedule_next(&other);
        }
        assert_int_equal(a.generator, b.generator);
        assert_int_equal(differ > (a.policy == &policy_narrow || a.policy == &policy_arithmetic ? 700 : 900),
                         a.policy != &policy_fixed);
    }
}

static void test_refusals(void **state)
{
    const uint64_t t2000 = 2000 << 16;

    (void)state;
    assert_null(refusal(INTERVAL_STRATIFIED, t2000, 90, 10, 2000));
    assert_non_null(refusal(INTERVAL_STRATIFIED, t2000, 91, 10, 2000));
    assert_non_null(refusal(INTERVAL_STRATIFIED, t2000 - 1, 90, 10, 2000));
    assert_non_null(refusal(INTERVAL_STRATIFIED, t2000, 1, 0xffffffff, 2000));
    assert_null(refusal(INTERVAL_RANDOM, t2000, 91, 10, 2000));
    assert_null(refusal(INTERVAL_RANDOM, t2000, 2000, 10, 2000));
    assert_non_null(refusal(INTERVAL_RANDOM, t2000, 2001, 10, 2000));
    assert_non_null(refusal(INTERVAL_FIXED, t2000, 2001, 10, 2000));
    assert_non_null(refusal(INTERVAL_RANDOM, t2000, 10, 10, 2001));
    assert_non_null(refusal(INTERVAL_FIXED, 0, 0, 0, 0));
    assert_null(refusal(INTERVAL_ARITHMETIC, t2000, 400, 10, 2000));
    assert_non_null(refusal(INTERVAL_ARITHMETIC, t2000, 401, 10, 2000));
    assert_non_null(refusal(INTERVAL_RANDOM, 1ull << 47, 10, 10, 2000));
    assert_null(refusal(INTERVAL_RANDOM, (1ull << 47) - 65536, 10, 10, 2000));
    assert_non_null(refusal(INTERVAL_RANDOM, UINT64_MAX, 10, 10, 2000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_strata),
        cmocka_unit_test(test_floor_does_not_drift),
        cmocka_unit_test(test_points_are_uniform),
        cmocka_unit_test(test_mean_rate),
        cmocka_unit_test(test_random_bounds),
        cmocka_unit_test(test_exact_fixed),
        cmocka_unit_test(test_exact_narrow),
        cmocka_unit_test(test_exact_strata),
        cmocka_unit_test(test_exact_random),
        cmocka_unit_test(test_exact_means),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
