/* SPDX-License-Identifier: MIT */
/*
 * A TSC of a known rate against counters that are detuned by known ppm:
 * each answer is within the error that it tells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/measure/clock_pair.h"

static uint32_t draw(void)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return state >> 8;
}

/*
 * Read at `at`, TSC clocks, of a counter of `hz`; `window` is what the reading takes, and it falls anywhere within.
 */
static struct clock_reading pair(uint64_t at, double hz, double tsc_hz, uint32_t window)
{
    const uint64_t before = at - draw() % (window + 1);

    return (struct clock_reading){ .from = before, .to = before + window,
                                   .count = (uint32_t)(uint64_t)((double)at / tsc_hz * hz) };
}

static void test_detuned(void **state)
{
    static const double nominal[] = {3579545, 14318180, 100000000};
    static const int detuned[] = {-3000, -100, -1, 0, 1, 50, 100, 499, 3000};
    const double tsc_hz = 2400000000.0;

    (void)state;
    for (unsigned n = 0; n < sizeof nominal / sizeof nominal[0]; n++)
        for (unsigned d = 0; d < sizeof detuned / sizeof detuned[0]; d++)
            for (unsigned i = 0; i < 200; i++) {
                const double hz = nominal[n] * (1 + detuned[d] / 1e6);
                const uint64_t from = 1000000000ull + draw(), to = from + (uint64_t)(tsc_hz / 24) + draw() % 100000;
                const struct clock_reading first = pair(from, hz, tsc_hz, draw() % 5000),
                                           last = pair(to, hz, tsc_hz, draw() % 5000);
                const struct clock_rate r = clock_pair_rate(&first, &last, last.count - first.count,
                                                            (uint64_t)(nominal[n] * 1000));
                /* A counter that is fast by some ppm makes the TSC look slow by as many. */
                const double true_ppm = (1 / (1 + detuned[d] / 1e6) - 1) * 1e6;
                const double found = (double)((int64_t)r.hz - (int64_t)tsc_hz) / tsc_hz * 1e6;

                assert_true(found - true_ppm <= r.error_ppm && true_ppm - found <= r.error_ppm);
                assert_true(r.error_ppm < 120); /* 2 x 5000 of 10^8 clocks, and a count of 149000 */
                assert_true(clock_ppm(r.hz, 2400000000u) - (int64_t)found <= 1 &&
                            (int64_t)found - clock_ppm(r.hz, 2400000000u) <= 1);
            }
}

static void test_none(void **state)
{
    const struct clock_reading p = { 5, 10, 0 }, late = { 1ull << 50, 1ull << 50, 7 };

    (void)state;
    assert_int_equal(clock_pair_rate(&p, &p, 0, 1000).hz, 0);
    assert_int_equal(clock_pair_rate(&p, &p, 5, 1000).hz, 0);
    assert_int_equal(clock_pair_rate(&p, &late, 7, 1000).hz, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_detuned), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
