/* SPDX-License-Identifier: MIT */
/*
 * The generator against its definition, x' = 16807 x mod 2^31-1 by division,
 * and against the check of Park and Miller (CACM 31(10), 1988).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/schedule/carta.h"

static void test_park_miller(void **state)
{
    uint32_t x = 1;

    (void)state;
    for (int i = 0; i < 10000; i++)
        x = carta_next(x);
    assert_int_equal(x, 1043618065);
}

static void test_exact(void **state)
{
    uint32_t x = 1;

    (void)state;
    for (int i = 0; i < 1000000; i++) {
        uint32_t by_division = (uint32_t)((uint64_t)x * 16807 % 0x7fffffff);

        x = carta_next(x);
        assert_int_equal(x, by_division);
    }
    for (uint32_t d = 1; d < 100000; d++) {
        uint32_t high = 0x7fffffff - d;

        assert_int_equal(carta_next(d), (uint64_t)d * 16807 % 0x7fffffff);
        assert_int_equal(carta_next(high), (uint64_t)high * 16807 % 0x7fffffff);
    }
}

static void test_seed(void **state)
{
    (void)state;
    assert_int_equal(carta_seed(1), 1);
    assert_int_equal(carta_seed(0x7ffffffe), 0x7ffffffe);
    /* The class of 0 would stay there for ever. */
    assert_int_equal(carta_seed(0), 1);
    assert_int_equal(carta_seed(0x7fffffff), 1);
    assert_int_equal(carta_seed(2 * 0x7fffffffull), 1);
    assert_int_equal(carta_seed(0x80000000), 1);
    for (uint64_t n = UINT64_MAX, i = 0; i < 200000; i++, n = n / 16 * 15 + i) {
        uint64_t rest = n % 0x7fffffff;

        assert_int_equal(carta_seed(n), rest ? rest : 1);
    }
}

static void test_below(void **state)
{
    uint32_t x = 1, bins[10] = {0};
    uint64_t most = 0;

    (void)state;
    for (int i = 0; i < 1000000; i++) {
        uint64_t at = carta_below(&x, 10);

        assert_true(at < 10);
        bins[at]++;
    }
    /* Five standard deviations of the binomial. */
    for (int i = 0; i < 10; i++)
        assert_in_range(bins[i], 98500, 101500);
    for (int i = 0; i < 100000; i++) {
        uint64_t at = carta_below(&x, 1ull << 32);

        assert_true(at < 1ull << 32);
        most = at > most ? at : most;
    }
    assert_true(most > 0xfff00000);
    assert_int_equal(carta_below(&x, 1), 0);
}

/* The fractions of two seeds' streams, correlated over n steps. */
static double correlation(uint32_t a, uint32_t b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        a = carta_next(a);
        b = carta_next(b);
        sum += ((double)a / CARTA_MODULUS - 0.5) * ((double)b / CARTA_MODULUS - 0.5);
    }
    return sum / n * 12;
}

/*
 * Plain seeds 1 and 2 run in step (their correlation is 1/2); scrambled ones do
 * not: each pair of the first sixteen within five standard errors of nothing.
 */
static void test_streams(void **state)
{
    enum { STEPS = 10000 };
    const double bound = 5 / 100.0; /* 5 / sqrt(STEPS) */

    (void)state;
    assert_true(correlation(1, 2, STEPS) > 0.4);
    for (uint32_t a = 1; a <= 16; a++)
        for (uint32_t b = 1; b < a; b++) {
            const double r = correlation(carta_start(a), carta_start(b), STEPS);

            assert_true(r < bound && r > -bound);
        }
}

static void test_jumps(void **state)
{
    static const uint32_t first[] = {1, 2, 0x7ffffffe, 0x7ffffffd, 16807, 1234567};

    (void)state;
    for (int i = 0; i < 6; i++)
        for (uint32_t x = first[i], n = 0; n < 100000; n++) {
            const uint32_t a = carta_next(x), b = carta_next(a), c = carta_next(b);

            assert_int_equal(carta_jump(x, CARTA_SECOND), b);
            assert_int_equal(carta_jump(x, CARTA_THIRD), c);
            assert_int_equal(carta_jump(x, CARTA_FOURTH), carta_next(c));
            x = a;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_park_miller),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
