/* SPDX-License-Identifier: MIT */
/* Gaps of made-up series: by length, their period, and intervals of what they take; and ranks of lists. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/core/order_statistics.h"
#include "probe/schedule/splitmix64.h"
#include "probe/survey/gap_log.h"
#include "probe/survey/rates.h"
#include "tests/host/near.h"

#define HZ     1000000000ull
#define MICRO  1000u
#define MILLI  1000000u
#define SERIES 300u

static struct gap_log l;

static double uniform(uint64_t *state)
{
    *state += SPLITMIX64_GAMMA;
    return ((double)(splitmix64_mix(*state) >> 11) + 0.5) / 9007199254740992.0;
}

static void add(uint64_t at, uint64_t length)
{
    gap_log_add(&l, &(struct gap){ at, length });
}

static void test_lengths(void **state)
{
    uint64_t count = 0, time = 0;

    (void)state;
    gap_log_begin(&l, HZ);
    add(1, 900);            /* below the first edge */
    add(2, 2 * MICRO - 1);
    add(3, 2 * MICRO);
    add(4, 312 * MICRO);
    add(5, 499999);
    add(6, 500 * MICRO);
    add(7, 30 * HZ);
    assert_int_equal(l.count[0], 2);
    assert_int_equal(l.count[1], 1);
    assert_int_equal(gap_bucket_us(7), 200);
    assert_int_equal(l.count[7], 2);
    assert_int_equal(l.time[7], 312 * MICRO + 499999);
    assert_int_equal(l.count[8], 1);
    assert_int_equal(gap_bucket_us(GAP_BUCKETS - 1), 10000000);
    assert_int_equal(l.count[GAP_BUCKETS - 1], 1);
    for (unsigned i = 0; i < GAP_BUCKETS; i++) {
        count += l.count[i];
        time += l.time[i];
    }
    assert_true(count == l.gaps && time == l.time_all && l.greatest == 30 * HZ);
}

/* 312 us each 2.5 s for a minute, between short gaps at random, each sixth unseen, and 2 ms of jitter. */
static void test_period(void **state)
{
    uint64_t seed = 7, noise = 0;
    struct gap_period p;

    (void)state;
    gap_log_begin(&l, HZ);
    for (unsigned k = 1; k <= 24; k++) {
        const uint64_t at = k * 2500ull * MILLI + (uint64_t)(uniform(&seed) * 2 * MILLI);

        for (; noise < at; noise += (uint64_t)(-log(uniform(&seed)) * 40 * MILLI))
            add(noise, (uint64_t)(2000 + 3000 * uniform(&seed)));
        if (k % 6 != 0)
            add(at, 312 * MICRO);
    }
    p = gap_log_period(&l);
    assert_int_equal(p.gaps, 20);
    assert_int_equal(p.fits, 19);
    assert_int_equal(p.length, 312 * MICRO);
    check_near((double)p.period, 2500.0 * MILLI, 2.0 * MILLI / 20);
}

/* Of series without a period that have eight gaps or many, fewer than one in 10000 may seem to have one. */
static void test_no_period(void **state)
{
    uint64_t seed = 1;
    unsigned seeming = 0;

    (void)state;
    for (unsigned s = 0; s < 20 * SERIES; s++) {
        uint64_t at = 0;

        gap_log_begin(&l, HZ);
        for (unsigned k = 0; k < (s % 2 ? GAPS_OF_PERIOD : 40); k++)
            add(at += (uint64_t)(-log(uniform(&seed)) * 100 * MILLI), 80 * MICRO);
        seeming += gap_log_period(&l).period != 0;
    }
    assert_in_range(seeming, 0, 1);
    gap_log_begin(&l, HZ);
    for (unsigned k = 0; k < GAPS_OF_PERIOD - 1; k++)
        add(k * HZ, 80 * MICRO);
    assert_int_equal(gap_log_period(&l).period, 0);
}

/* More gaps than are kept: the short ones go, and the period of the long ones is still found. */
static void test_full(void **state)
{
    struct gap_period p;

    (void)state;
    gap_log_begin(&l, HZ);
    for (unsigned k = 0; k < 20 * GAPS_KEPT; k++)
        add(k * MILLI, k % 1000 == 0 ? 400 * MICRO : 3 * MICRO + k % 2 * 3 * MICRO);
    assert_int_equal(l.gaps, 20 * GAPS_KEPT);
    assert_true(l.least > 6 * MICRO && l.kept <= 21 && l.dropped == 0);
    p = gap_log_period(&l);
    assert_int_equal(p.period, 1000 * MILLI);
    gap_log_begin(&l, HZ);
    for (unsigned k = 0; k < 2 * GAPS_KEPT; k++)
        add(k * MILLI, 3 * MICRO);
    assert_true(l.kept == GAPS_KEPT && l.dropped == GAPS_KEPT);
}

/* Quantiles of chi-squared / 2, as tables have them: within Wilson and Hilferty's error, which few events have. */
static void test_intervals(void **state)
{
    const struct { uint64_t events; double low, high, within; } known[] = {
        { 0, 0, 3.689, 0.03 }, { 4, 1.090, 10.242, 0.05 }, { 25, 16.179, 36.905, 0.02 },
        { 100, 81.364, 121.627, 0.02 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct event_interval one = event_interval_count(known[i].events);
        const double n = (double)known[i].events;
        const struct event_interval five = event_interval_of(&(struct event_sum){ 5 * n, 25 * n, 5 });

        check_near(one.low, known[i].low, known[i].within);
        check_near(one.high, known[i].high, known[i].within);
        check_near(five.low, 5 * one.low, 1e-9);
        check_near(five.high, 5 * one.high, 1e-9);
    }
}

/* Series of gaps of two lengths at random: 95 % of the intervals have the share of all. */
static void test_coverage(void **state)
{
    const double rate[] = { 12, 30 }, length[] = { 312, 30 }, truth = 12 * 312 + 30 * 30;
    uint64_t seed = 3;
    unsigned covered = 0;

    (void)state;
    for (unsigned s = 0; s < 10 * SERIES; s++) {
        struct event_sum sum = { .largest = 312 };
        struct event_interval i;

        for (int kind = 0; kind < 2; kind++)
            for (double at = -log(uniform(&seed)); at < rate[kind]; at -= log(uniform(&seed))) {
                sum.sum += length[kind];
                sum.squares += length[kind] * length[kind];
            }
        i = event_interval_of(&sum);
        covered += i.low <= truth && truth <= i.high;
    }
    /* At least 95 %, and 4.6 deviations of 3000 series are 1.8 points. */
    assert_true(covered >= 10 * SERIES * 0.932);
}

static void test_ranks(void **state)
{
    static uint64_t list[2000];
    struct order_statistics o;

    (void)state;
    for (uint64_t i = 0; i < 2000; i++)
        list[i] = (i * 1237 + 11) % 2000 + 1; /* 1 to 2000, in disorder */
    o = order_statistics_of(list, 2000);
    assert_true(o.count == 2000 && o.median == 1000 && o.most == 1998 && o.worst == 2000);
    o = order_statistics_of(list, 1);
    assert_true(o.median == 1 && o.most == 1 && o.worst == 1);
    o = order_statistics_of(list, 0);
    assert_true(o.count == 0 && o.worst == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),   cmocka_unit_test(test_period),   cmocka_unit_test(test_no_period),
        cmocka_unit_test(test_full),      cmocka_unit_test(test_intervals), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
