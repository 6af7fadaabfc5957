/* SPDX-License-Identifier: MIT */
/*
 * The first intervals of the schedule against a second implementation that divides
 * and keeps absolute time, and the shape of what each policy draws from.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/schedule/carta.h"
#include "tests/host/schedules.h"

/* The definition, by division: a uniform number on [0, width). */
static uint64_t plain_below(uint64_t *x, uint64_t width)
{
    *x = *x * 16807 % 0x7fffffff;
    return (uint64_t)floor((double)*x / 2147483648.0 * (double)width);
}

/*
 * Each tick falls on its point, or the minimum after the tick before where that
 * is later.
 */
static void check_stratified(uint64_t mean, uint32_t minimum, uint64_t strata)
{
    struct schedule s = begun(INTERVAL_STRATIFIED, mean, minimum, 2000, 1);
    uint64_t x = carta_start(1), at = 0;

    for (uint64_t stratum = 0; stratum < strata; stratum++) {
        uint64_t start = stratum * 2 * mean / 65536, end = (stratum + 1) * 2 * mean / 65536;
        uint64_t a = plain_below(&x, end - start), b = plain_below(&x, end - start);
        uint64_t points[2] = {start + (a < b ? a : b), start + (a < b ? b : a)};

        for (int i = 0; i < 2; i++) {
            uint64_t tick = points[i] < at + minimum ? at + minimum : points[i];

            assert_int_equal(schedule_next(&s), tick - at);
            assert_int_equal(s.pair, i);
            at = tick;
        }
    }
    assert_int_equal(s.sum, at);
}

static void test_golden_stratified(void **state)
{
    (void)state;
    check_stratified((PIT_HZ << 16) / 1000, 1, 5);
    check_stratified((PIT_HZ << 16) / 1000, 49, 100000);
    check_stratified((PIT_HZ << 16) / 120, 487, 100000);
}

static void test_golden_random(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 120; /* 9943.18: Tmin + Tmax is 19886 */
    struct schedule wide = begun(INTERVAL_RANDOM, mean, 100, 2000, 1);
    struct schedule half = begun(INTERVAL_RANDOM, mean, 100, 1000, 1);
    uint64_t x = carta_start(1), y = x;

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(schedule_next(&wide), 100 + plain_below(&x, 19686 + 1));
        assert_int_equal(schedule_next(&half), 4971 + plain_below(&y, 9944 + 1));
        assert_int_equal(wide.pair, i > 0);
    }
}

static void test_golden_keyed(void **state)
{
    static const uint64_t seeds[] = {77, INT64_MAX, 0x7123456789abcdef, 0x89abcdef};
    bool same = true;

    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct schedule s = keyed(INTERVAL_RANDOM, (PIT_HZ << 16) / 120, 100, seeds[i]);

        for (uint64_t k = 0; k < 1000; k++) {
            assert_int_equal(schedule_next(&s), 100 + (plain_word(seeds[i], k) * (uint64_t)19687 >> 32));
            assert_int_equal(s.generator, k + 1);
        }
    }
    for (uint64_t k = 0; k < CHACHA8_WORDS; k++) /* which differ in their high halves alone */
        same &= plain_word(seeds[2], k) == plain_word(seeds[3], k);
    assert_false(same);
}

/* The definition, with a real logarithm and absolute time. */
static void check_exponential(uint64_t mean, uint32_t minimum)
{
    struct schedule s = begun(INTERVAL_EXPONENTIAL, mean, minimum, 2000, 1);
    const double t = (double)mean / 65536, length = 7.978107736977069, least = exp(-length);
    const double scale = (t - minimum) / (1 - length * least / (1 - least));
    uint64_t x = carta_start(1);
    double at = 0;

    for (int k = 0; k < 100000; k++) {
        x = x * 16807 % 0x7fffffff;
        at += minimum - scale * log(least + (1 - least) * (double)x / 2147483648.0);
        schedule_next(&s);
        assert_int_equal(s.pair, k > 0);
        /* Logarithms 4.4e-5 off at most, on the average 1e-5 that the mean makes good. */
        if (fabs((double)s.sum - at) > 1 + 3e-5 * t * (k + 1))
            fail_msg("interval %d ends at %lu, not %.1f", k, s.sum, at);
    }
}

static void test_golden_exponential(void **state)
{
    (void)state;
    check_exponential((PIT_HZ << 16) / 120, 119);
    check_exponential((PIT_HZ << 16) / 10000, 20);
    check_exponential((1ull << 47) - 1, 1);
}

/* Cut off at the smallest count and at 8 T above it, and as the exponential is in between. */
static void test_exponential_shape(void **state)
{
    const int intervals = 2000000;
    struct schedule s = keyed(INTERVAL_EXPONENTIAL, 100000ull << 16, 1000, 5);
    uint64_t least = UINT64_MAX, most = 0;
    double mean, square = 0;
    int above[9] = {0};

    (void)state;
    for (int i = 0; i < intervals; i++) {
        const uint64_t interval = schedule_next(&s), over = interval - 1000;

        least = interval < least ? interval : least;
        most = interval > most ? interval : most;
        square += (double)over * (double)over;
        above[over / 99000 > 8 ? 8 : over / 99000]++;
    }
    mean = (double)s.sum / intervals;
    assert_in_range(least, 1000, 1010);
    assert_in_range(most, 1000 + 780000, 1000 + 792000);
    assert_true(fabs(mean - 100000) < 4 * 99000 / sqrt(intervals));
    mean -= 1000;
    assert_true(fabs(square / intervals / (mean * mean) - 1 - 0.983517) < 0.01);
    /* exp(-k / 1.0027) for k = 1, 2, 3 */
    for (int k = 0, rest = intervals; k < 4; rest -= above[k++])
        assert_true(fabs((double)rest / intervals - exp(-k * 0.99726)) < 0.003);
    assert_int_equal(above[8], 0);
}

static void test_narrow(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 120; /* 9943.18: a window of 63 */
    struct schedule s = begun(INTERVAL_NARROW, mean, 100, 2000, 1);
    bool some = false;

    (void)state;
    for (uint64_t k = 1; k <= 100000; k++) {
        const uint64_t due = k * mean >> 16;

        schedule_next(&s);
        assert_false(s.pair);
        assert_in_range(s.sum, due, due + 62);
        some = some || s.sum == due + 62;
    }
    assert_true(some);
    s = begun(INTERVAL_NARROW, 1000 << 16, 998, 2000, 1); /* the smallest count leaves 3 of 6 */
    for (int k = 0; k < 10000; k++)
        assert_in_range(schedule_next(&s), 998, 1002);
    s = begun(INTERVAL_NARROW, 20 << 16, 20, 2000, 1);
    assert_int_equal(schedule_next(&s), 20);
}

/* Ticks at multiples of a fifth of the mean: 1 to 9 of them by the generator's next number. */
static void test_arithmetic(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 20, unit = mean / 5;
    struct schedule s = begun(INTERVAL_ARITHMETIC, mean, 119, 2000, 7);
    uint64_t x = carta_start(7), units = 0;

    (void)state;
    for (int k = 0; k < 100000; k++) {
        x = x * 16807 % 0x7fffffff;
        units += 1 + x * 9 / 0x80000000ull;
        schedule_next(&s);
        assert_false(s.pair);
        if (fabs((double)s.sum - (double)units * (double)unit / 65536) > 1 + 1e-9 * (double)s.sum)
            fail_msg("interval %d ends at %lu, not at %lu units", k, s.sum, units);
    }
    assert_int_equal(units / 1000, 500);
}

/* The numbers themselves, so that both implementations cannot drift together. */
static void test_golden_numbers(void **state)
{
    static const uint64_t stratified[10] = {1459, 343, 965,  1452, 2642,
                                            229,  1072, 90,  2265, 238};
    static const uint64_t random[10] = {14972, 12141, 15229, 3243, 19221,
                                        17333, 9119,  8379,  8126, 10086};
    struct schedule s = begun(INTERVAL_STRATIFIED, (PIT_HZ << 16) / 1000, 1, 2000, 1);
    struct schedule r = begun(INTERVAL_RANDOM, (PIT_HZ << 16) / 120, 100, 2000, 1);

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(schedule_next(&s), stratified[i]);
        assert_int_equal(schedule_next(&r), random[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_stratified),
        cmocka_unit_test(test_golden_random),
        cmocka_unit_test(test_golden_keyed),
        cmocka_unit_test(test_golden_exponential),
        cmocka_unit_test(test_exponential_shape),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_golden_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
