/* SPDX-License-Identifier: MIT */
/* The histogram of lateness: its bounds, and how often stretches last so long, of stretches that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/stats/masked_durations.h"

#define HZ     1000000000ull
#define MICRO  1000u    /* clock units */
#define SECOND 1000000u /* microseconds */

static struct snapshot *snapshot(void)
{
    struct snapshot *s = calloc(1, sizeof *s);

    assert_non_null(s);
    return s;
}

static unsigned digits_of_number(uint64_t n)
{
    unsigned digits = 0;

    for (; n != 0; n >>= 1)
        digits++;
    return digits;
}

/* A second in which so many stretches begin, of one length, and a tick in each microsecond of it. */
static void add_stretches(struct snapshot *s, unsigned stretches, uint64_t length)
{
    for (unsigned i = 0; i < stretches; i++)
        for (uint64_t left = 1; left <= length; left++) {
            s->bucket[digits_of_number(left * MICRO - MICRO / 2)]++;
            s->late++;
        }
}

static void check_near(double value, double wanted, double part)
{
    if (!(fabs(value - wanted) <= part * wanted))
        fail_msg("%.3f is not within a part of %g of %.3f", value, part, wanted);
}

static void test_bounds(void **state)
{
    struct snapshot *s = snapshot();
    struct masked_durations_row row[SNAPSHOT_BUCKETS];

    (void)state;
    s->ticks = 1000;
    assert_int_equal(masked_durations_of(s, HZ, row), 0);
    s->bucket[0] = 1;
    s->bucket[10] = 5;
    s->bucket[SNAPSHOT_BUCKETS - 1] = 2;
    assert_int_equal(masked_durations_of(s, 0, row), 0);
    assert_int_equal(masked_durations_of(s, HZ, row), 3);
    check_near(row[1].low, 0.512, 1e-12);
    check_near(row[1].high, 1.024, 1e-12);
    assert_int_equal(row[1].ticks, 5);
    assert_true(row[0].low == 0 && row[2].ticks == 2);
    free(s);
}

/* 300 a second of 100 us and 20 of 1000 us: what lasts longer is rarer, and nothing lasts longer than the longest. */
static void test_density(void **state)
{
    struct snapshot *s = snapshot();
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    uint64_t ticks = 0;
    unsigned rows;

    (void)state;
    s->ticks = SECOND;
    add_stretches(s, 300, 100);
    add_stretches(s, 20, 1000);
    rows = masked_durations_of(s, HZ, row);
    for (unsigned i = 0; i < rows; i++) {
        ticks += row[i].ticks;
        if (row[i].low > 8 && row[i].high < 100)
            check_near(row[i].per_second, 320, 0.05);
        if (row[i].low > 100 && row[i].high < 1000)
            check_near(row[i].per_second, 20, 0.02);
    }
    assert_int_equal(ticks, s->late);
    assert_true(row[rows - 1].low < 1000 && row[rows - 1].high > 1000);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_density),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
