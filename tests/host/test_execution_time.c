/* SPDX-License-Identifier: MIT */
/*
 * The time of one execution: the paper's own arithmetic, the interval that is
 * carried over, counts of one and of many, units and digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/near.h"
#include "tools/analysis/execution_time.h"

/*
 * Crowe, "Accurate time measurement": 3500 interrupts at 960 Hz, 10 000
 * divisions: 3500 x 1000 / (960 x 10 000) ms, "0.36 milliseconds".
 */
static void test_paper(void **state)
{
    (void)state;
    check_near(1000 * execution_time_from_hits(3500, 960, 10000), 0.364583333, 1e-9);
    check_near(1000 * execution_time_from_hits(3500, 960, 10000), 3500 * 1000 / (960 * 10000.0), 1e-15);
}

/* A share of the run is the same as hits at a rate, where the run is so many samples at that rate. */
static void test_share(void **state)
{
    const struct tally t = {3500, 9600, 0};
    const struct confidence w = confidence_wilson(&t, LEVEL_95);
    struct confidence i = execution_time_from_share(w, 9600 / 960.0, 10000);

    (void)state;
    check_near(i.estimate, execution_time_from_hits(3500, 960, 10000), 1e-15);
    check_near(i.low / i.estimate, w.low / w.estimate, 1e-12);
    check_near(i.high / i.estimate, w.high / w.estimate, 1e-12);
    /* By hand: Wilson's 35.50 % and 37.43 % of 10 s, 10 000 times. */
    check_near(i.low, 0.3550e-3, 0.0001e-3);
    check_near(i.high, 0.3743e-3, 0.0001e-3);
}

static void test_counts(void **state)
{
    const struct confidence half = {0.5, 0.4, 0.6};
    struct confidence i = execution_time_from_share(half, 60e9, 1);

    (void)state;
    check_near(i.estimate, 30e9, 1e-3);
    check_near(i.low, 24e9, 1e-3);
    check_near(i.high, 36e9, 1e-3);
    i = execution_time_from_share(half, 60e9, 1e30);
    check_near(i.estimate, 30e-21, 1e-33);
    i = execution_time_from_share(half, 60e9, 18446744073709551615.0);
    assert_true(i.low > 0 && i.low < i.estimate && i.estimate < i.high);
    i = execution_time_from_share((struct confidence){0, 0, 0.001}, 60e9, 1000);
    assert_true(i.estimate == 0 && i.low == 0 && i.high > 0);
    i = execution_time_from_share(half, 60e9, 2.5); /* two and a half executions */
    check_near(i.estimate, 12e9, 1e-3);
}

static void test_units(void **state)
{
    static const struct {
        double seconds;
        const char *name;
    } rows[] = {
        {3600, "s"}, {1, "s"}, {0.9999, "ms"}, {1e-3, "ms"}, {0.9e-3, "us"},
        {1e-6, "us"}, {0.9e-6, "ns"}, {1e-9, "ns"}, {1e-12, "ns"}, {0, "ns"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(time_unit_of(rows[i].seconds).name, rows[i].name);
    check_near(time_unit_of(0.3e-3).seconds, 1e-6, 0);
}

static void test_digits(void **state)
{
    static const struct {
        double value, around;
        const char *text;
    } rows[] = {
        {364.583333, 364.583333, "365"}, {364.583333, 9.6, "364.58"},
        {364.583333, 0.0123, "364.5833"}, {0.364583333, 0.3, "0.365"},
        {63933457, 471366, "63933457"},  {1, 1, "1.00"},
        {0, 0, "0.00"},                  {0, 0.05, "0.0000"},
        {3e-20, 3e-20, "0.000000000000"}, {1.5e18, 1, "1.500000e+18"},
        {12, INFINITY, "12.00"},         {12, NAN, "12.00"},
    };
    char text[TIME_DIGITS];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        time_print(text, rows[i].value, rows[i].around);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
