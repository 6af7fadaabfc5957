/* SPDX-License-Identifier: MIT */
/*
 * The ticks of a thinned stream: two of each block, any two equally likely, the
 * same whoever asks and in whatever order.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/decimate.h"

static void test_all(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(decimate_tick(i, 1, 7), i);
        assert_int_equal(decimate_tick(i, 0, 7), i);
    }
    assert_int_equal(decimate_tick((1ull << 48) - 1, 1, 7), (1ull << 48) - 1);
}

/* Backwards, so that nothing can depend on what was asked before. */
static void check_blocks(uint32_t factor, uint32_t seed)
{
    uint64_t after = UINT64_MAX;

    for (uint64_t number = 20000; number-- > 0;) {
        const uint64_t tick = decimate_tick(number, factor, seed);

        assert_true(tick < after);
        assert_int_equal(tick / (2 * factor), number / 2);
        after = tick;
    }
}

static void test_two_of_each_block(void **state)
{
    static const uint32_t factors[] = {2, 3, 10, 1000, DECIMATE_MAX};

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        for (uint32_t seed = 0; seed < 4; seed++)
            check_blocks(factors[i], seed);
}

/* Every pair of a block of n: n (n - 1) / 2 of them; five standard errors of chi square. */
static void check_uniform(uint32_t factor, uint32_t seed)
{
    const unsigned n = 2 * factor, blocks = 200000;
    const double pairs = n * (n - 1) / 2.0, expected = blocks / pairs;
    static unsigned hits[24][24];
    double square = 0;

    memset(hits, 0, sizeof(hits));
    for (uint64_t block = 0; block < blocks; block++)
        hits[decimate_tick(2 * block, factor, seed) % n][decimate_tick(2 * block + 1, factor, seed) % n]++;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            square += (hits[i][j] - expected) * (hits[i][j] - expected) / expected;
    assert_true(fabs(square - (pairs - 1)) < 5 * sqrt(2 * (pairs - 1)));
}

static void test_uniform(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 6; seed++) {
        check_uniform(2, seed);
        check_uniform(3, seed);
        check_uniform(12, seed);
    }
}

/* Neighbouring blocks and neighbouring seeds: no correlation of the first tick. */
static void test_independent(void **state)
{
    const uint32_t factor = 500;
    const int blocks = 100000;
    double by_block = 0, by_seed = 0, variance = 0;

    (void)state;
    for (int i = 0; i < blocks; i++) {
        /* The lesser of two uniform ones is a third of the block on average. */
        double a = (double)(decimate_tick(2 * (uint64_t)i, factor, 1) % 1000) / 1000 - 1 / 3.0;
        double b = (double)(decimate_tick(2 * (uint64_t)i + 2, factor, 1) % 1000) / 1000 - 1 / 3.0;
        double c = (double)(decimate_tick(2 * (uint64_t)i, factor, 2) % 1000) / 1000 - 1 / 3.0;

        by_block += a * b;
        by_seed += a * c;
        variance += a * a;
    }
    assert_true(fabs(variance / blocks - 1 / 18.0) < 0.002);
    assert_true(fabs(by_block / variance) < 5 / sqrt(blocks));
    assert_true(fabs(by_seed / variance) < 5 / sqrt(blocks));
}

/* The numbers themselves: a stream of today must be read tomorrow. */
static void test_numbers(void **state)
{
    uint64_t sum = 0;

    (void)state;
    for (uint64_t number = 0; number < 1000; number++)
        sum = sum * 31 + decimate_tick(number, 10, 7);
    assert_int_equal(sum, 0x298d96b759b6be61u);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),         cmocka_unit_test(test_two_of_each_block),
        cmocka_unit_test(test_uniform),     cmocka_unit_test(test_independent),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
