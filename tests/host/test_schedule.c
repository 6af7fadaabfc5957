/* SPDX-License-Identifier: MIT */
/*
 * The schedule: rates, strata, floors and refusals (docs/ACCOUNTING.md, "The
 * schedule"), and its first intervals against a second implementation that
 * divides and keeps absolute time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "probe/carta.h"
#include "probe/schedule.h"

#define PIT_HZ 1193182ull

static const char *const policies[] = {"stratified", "random", "exponential", "narrow", "fixed"};

static struct schedule begun(const char *policy, uint64_t mean, uint32_t minimum,
                             uint32_t spread, uint32_t seed)
{
    struct schedule_request request = {.policy = policy, .mean = mean, .minimum = minimum,
                                       .handler = 10, .spread = spread, .seed = seed};
    struct schedule s;
    const char *refusal = schedule_init(&s, &request);

    if (refusal)
        fail_msg("%s: %s", policy, refusal);
    return s;
}

/* The same with the keyed generator. */
static struct schedule keyed(const char *policy, uint64_t mean, uint32_t minimum, uint32_t seed)
{
    struct schedule_request request = {.policy = policy, .rng = "chacha8", .mean = mean,
                                       .minimum = minimum, .handler = 10, .spread = 2000,
                                       .seed = seed};
    struct schedule s;

    assert_null(schedule_init(&s, &request));
    return s;
}

static const char *refusal(const char *policy, uint64_t mean, uint32_t minimum,
                           uint32_t handler, uint32_t spread)
{
    struct schedule_request request = {.policy = policy, .mean = mean, .minimum = minimum,
                                       .handler = handler, .spread = spread, .seed = 1};
    struct schedule s;

    return schedule_init(&s, &request);
}

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
    struct schedule s = begun("stratified", mean, minimum, 2000, 1);
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
    struct schedule wide = begun("random", mean, 100, 2000, 1);
    struct schedule half = begun("random", mean, 100, 1000, 1);
    uint64_t x = carta_start(1), y = x;

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(schedule_next(&wide), 100 + plain_below(&x, 19686 + 1));
        assert_int_equal(schedule_next(&half), 4971 + plain_below(&y, 9944 + 1));
        assert_int_equal(wide.pair, i > 0);
    }
}

/* The numbers themselves, so that both implementations cannot drift together. */
/* Word k of the key stream whose key is the seed, a block at a time. */
static uint32_t plain_word(uint32_t seed, uint64_t k)
{
    const struct chacha8_key key = {.word = {seed}, .nonce = {0x70757063, 0x65626f72}};
    uint32_t block[CHACHA8_WORDS];

    chacha8_block(block, &key, k / CHACHA8_WORDS);
    return block[k % CHACHA8_WORDS];
}

static void test_golden_keyed(void **state)
{
    struct schedule s = keyed("random", (PIT_HZ << 16) / 120, 100, 77);

    (void)state;
    for (uint64_t k = 0; k < 1000; k++) {
        assert_int_equal(schedule_next(&s), 100 + (plain_word(77, k) * (uint64_t)19687 >> 32));
        assert_int_equal(s.generator, k + 1);
    }
}

/* The definition, with a real logarithm and absolute time. */
static void check_exponential(uint64_t mean, uint32_t minimum)
{
    struct schedule s = begun("exponential", mean, minimum, 2000, 1);
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
    struct schedule s = keyed("exponential", 100000ull << 16, 1000, 5);
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
    struct schedule s = begun("narrow", mean, 100, 2000, 1);
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
    s = begun("narrow", 1000 << 16, 998, 2000, 1); /* the smallest count leaves 3 of 6 */
    for (int k = 0; k < 10000; k++)
        assert_in_range(schedule_next(&s), 998, 1002);
    s = begun("narrow", 20 << 16, 20, 2000, 1);
    assert_int_equal(schedule_next(&s), 20);
}

static void test_golden_numbers(void **state)
{
    static const uint64_t stratified[10] = {1459, 343, 965,  1452, 2642,
                                            229,  1072, 90,  2265, 238};
    static const uint64_t random[10] = {14972, 12141, 15229, 3243, 19221,
                                        17333, 9119,  8379,  8126, 10086};
    struct schedule s = begun("stratified", (PIT_HZ << 16) / 1000, 1, 2000, 1);
    struct schedule r = begun("random", (PIT_HZ << 16) / 120, 100, 2000, 1);

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(schedule_next(&s), stratified[i]);
        assert_int_equal(schedule_next(&r), random[i]);
    }
}

static void test_fixed(void **state)
{
    struct schedule s = begun("fixed", (9943 << 16) + 0x8000, 100, 2000, 1);

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(schedule_next(&s), 9944);
        assert_false(s.pair);
    }
    s = begun("fixed", (9943 << 16) + 0x7fff, 100, 0, 1);
    assert_int_equal(schedule_next(&s), 9943);
}

/* After each pair the sum lies in its stratum, to the count, a million strata on. */
static void test_strata(void **state)
{
    const uint64_t mean = (1000 << 16) + 12345;
    struct schedule s = begun("stratified", mean, 1, 2000, 99);

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
    struct schedule s = begun("stratified", mean, minimum, 2000, 7);
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
    struct schedule s = begun("stratified", 100000ull << 16, 1, 2000, 12345);
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
        const char *policy;
        uint64_t mean;
        uint32_t minimum, spread;
    } rows[] = {
        {"stratified", (PIT_HZ << 16) / 120, 119, 2000},
        {"stratified", (PIT_HZ << 16) / 400, 119, 2000},
        {"stratified", ((uint64_t)3000 << 16) + 1, 139, 2000},
        {"stratified", 1ull << 46, 119, 2000},
        {"random", (PIT_HZ << 16) / 120, 119, 2000},
        {"random", (PIT_HZ << 16) / 1000, 119, 1000},
        {"random", ((uint64_t)300 << 16) + 0x8000, 119, 2000},
        {"exponential", (PIT_HZ << 16) / 120, 119, 2000},
        {"exponential", ((uint64_t)300 << 16) + 0x8000, 119, 0},
        {"exponential", (1ull << 47) - 1, 1, 0},
        {"exponential", (uint64_t)119 << 16, 119, 0},
        {"narrow", (PIT_HZ << 16) / 120, 119, 2000},
        {"narrow", ((uint64_t)300 << 16) + 0x8000, 119, 0},
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
        struct schedule s = begun("random", 10000 << 16, 119, spread, 5);
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
        assert_int_equal(differ > (a.policy == &policy_narrow ? 700 : 900),
                         a.policy != &policy_fixed);
    }
}

static void test_refusals(void **state)
{
    const uint64_t t2000 = 2000 << 16;

    (void)state;
    assert_non_null(refusal("poisson", t2000, 10, 10, 2000));
    assert_non_null(refusal("", t2000, 10, 10, 2000));
    assert_null(policy_named("stratifie"));
    assert_null(policy_named("stratified "));
    assert_ptr_equal(policy_named("fixed"), &policy_fixed);
    assert_null(refusal("stratified", t2000, 90, 10, 2000));
    assert_non_null(refusal("stratified", t2000, 91, 10, 2000));
    assert_non_null(refusal("stratified", t2000 - 1, 90, 10, 2000));
    assert_non_null(refusal("stratified", t2000, 1, 0xffffffff, 2000));
    assert_null(refusal("random", t2000, 91, 10, 2000));
    assert_null(refusal("random", t2000, 2000, 10, 2000));
    assert_non_null(refusal("random", t2000, 2001, 10, 2000));
    assert_non_null(refusal("fixed", t2000, 2001, 10, 2000));
    assert_non_null(refusal("random", t2000, 10, 10, 2001));
    assert_non_null(refusal("fixed", 0, 0, 0, 0));
    assert_non_null(refusal("random", 1ull << 47, 10, 10, 2000));
    assert_null(refusal("random", (1ull << 47) - 65536, 10, 10, 2000));
    assert_non_null(refusal("random", UINT64_MAX, 10, 10, 2000));
}

/* A copy that stands where this one stood goes the same way, from every point on. */
static void check_restore(const struct schedule begin)
{
    struct schedule s = begin, copy;
    struct schedule_state state;

    for (int i = 0; i < 200; i++) {
        copy = begin;
        schedule_save(&s, &state);
        assert_true(schedule_restore(&copy, &state));
        assert_int_equal(copy.pair, s.pair);
        for (int j = 0; j < 5; j++) {
            struct schedule here = s;
            uint64_t interval = 0;

            for (int k = 0; k <= j; k++)
                interval = schedule_next(&here);
            assert_int_equal(schedule_next(&copy), interval);
            assert_int_equal(copy.pair, here.pair);
            assert_int_equal(copy.generator, here.generator);
            assert_int_equal(copy.carry, here.carry);
            assert_int_equal(copy.second, here.second);
            assert_int_equal(copy.fraction, here.fraction);
        }
        schedule_next(&s);
    }
}

static void test_restore(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 1000;

    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        check_restore(begun(policies[i], mean, 40, 1500, 3));
        check_restore(keyed(policies[i], mean, 40, 3));
    }
}

static void test_impossible_states(void **state)
{
    static const struct schedule_state wrong[] = {
        {0, 0, 0, 0, 0}, {0x7fffffff, 0, 0, 0, 0}, {UINT64_MAX, 0, 0, 0, 0}, {1, 3, 0, 0, 0},
        {1, 0, 65536, 0, 0}, {1, 0, 0, INT64_MAX, 0}, {1, 0, 0, INT64_MIN, 0},
        {1, 0, 0, 0, INT64_MAX}, {1, 0, 0, 0, INT64_MIN},
    };
    struct schedule s = begun("stratified", (PIT_HZ << 16) / 1000, 40, 2000, 3), before = s;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(schedule_restore(&s, &wrong[i]));
        assert_memory_equal(&s, &before, sizeof(s));
    }
}

/* A keyed state is any number of words drawn; a generator that does not exist is refused. */
static void test_keyed_states(void **state)
{
    struct schedule s = keyed("random", (PIT_HZ << 16) / 120, 100, 77);
    const struct schedule_state wrong = {.generator = (uint64_t)1 << 52};
    const struct schedule_state far = {.generator = ((uint64_t)1 << 40) + 5};
    struct schedule_request request = {.policy = "random", .rng = "chacha", .mean = 1000 << 16};

    (void)state;
    assert_false(schedule_restore(&s, &wrong));
    assert_true(schedule_restore(&s, &far));
    assert_int_equal(schedule_next(&s), 100 + (plain_word(77, far.generator) * (uint64_t)19687 >> 32));
    assert_non_null(schedule_init(&s, &request));
    request.rng = "carta";
    assert_null(schedule_init(&s, &request));
}

/* Runs of any length from any point, against single steps. */
static void check_runs(const struct schedule begin)
{
    struct schedule one = begin, other = begin;
    uint64_t interval[40];

    for (unsigned length = 0, i = 0; i < 4000; i++, length = (length + i) % 40) {
        schedule_run(&other, interval, length);
        for (unsigned j = 0; j < length; j++)
            assert_int_equal(schedule_next(&one), interval[j]);
        assert_int_equal(one.pair, other.pair);
        assert_int_equal(one.generator, other.generator);
        assert_int_equal(one.carry, other.carry);
        assert_int_equal(one.fraction, other.fraction);
        assert_true(one.next == other.next);
    }
}

static void test_runs(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 1000;

    (void)state;
    check_runs(begun("stratified", mean, 1, 1500, 5));
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        check_runs(begun(policies[i], mean, 49, 1500, 5));
        check_runs(keyed(policies[i], mean, 49, 5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_keyed),
        cmocka_unit_test(test_golden_exponential),
        cmocka_unit_test(test_exponential_shape),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_keyed_states),
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_impossible_states),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_golden_stratified),
        cmocka_unit_test(test_golden_random),
        cmocka_unit_test(test_golden_numbers),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_strata),
        cmocka_unit_test(test_floor_does_not_drift),
        cmocka_unit_test(test_points_are_uniform),
        cmocka_unit_test(test_mean_rate),
        cmocka_unit_test(test_random_bounds),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
