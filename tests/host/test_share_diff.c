/* SPDX-License-Identifier: MIT */
/*
 * Two runs against each other: the interval of a difference and its test, by
 * published figures and at their limits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/compared.h"
#include "tests/host/near.h"
#include "tools/analysis/share_diff.h"

/* Newcombe, Statistics in Medicine 17, 1998, 873-890, table II, method 10. */
static void test_newcombe(void **state)
{
    static const struct {
        uint64_t b, m, a, n;
        double low, high;
    } rows[] = {
        {56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090},
        {6, 7, 2, 7, 0.0582, 0.8062},     {5, 56, 0, 29, -0.0381, 0.1926},
        {0, 10, 0, 20, -0.1611, 0.2775},  {0, 10, 0, 10, -0.2775, 0.2775},
        {10, 10, 0, 20, 0.6791, 1.0000},  {10, 10, 0, 10, 0.6075, 1.0000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct confidence a = confidence_wilson(&(struct tally){rows[i].a, rows[i].n, 0}, LEVEL_95);
        const struct confidence b = confidence_wilson(&(struct tally){rows[i].b, rows[i].m, 0}, LEVEL_95);
        const struct confidence difference = share_diff_newcombe(&a, &b);

        check_near(difference.low, rows[i].low, 0.00006);
        check_near(difference.high, rows[i].high, 0.00006);
    }
}

/* Two-sided points of tables: Student, and the normal distribution past 1000. */
static void test_student(void **state)
{
    static const struct {
        double t, freedom, p;
    } rows[] = {
        {12.70620, 1, 0.05},  {4.30265, 2, 0.05},   {3.18245, 3, 0.05}, {2.22814, 10, 0.05},
        {636.61925, 1, 0.001}, {31.59905, 2, 0.001}, {3.64596, 30, 0.001}, {0, 7, 1},
        {-2.04227, 30, 0.05}, {1.959964, INFINITY, 0.05}, {3.290527, INFINITY, 0.001},
        {1.962339, 1000, 0.05}, {3.300283, 1000, 0.001},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_near(share_diff_student(rows[i].t, rows[i].freedom), rows[i].p, 2e-6);
    assert_true(share_diff_student(1e9, 50) >= 0 && share_diff_student(1e9, 50) < 1e-12);
}

/* All outcomes with the same hits in all, one by one, by Pascal's rule. */
static double fisher_again(unsigned a, unsigned n, unsigned b, unsigned m)
{
    double choose[41][41] = {{0}}, up = 0, down = 0, all = 0;

    for (unsigned i = 0; i <= 40; i++)
        for (unsigned j = 0; j <= i; j++)
            choose[i][j] = j == 0 || j == i ? 1 : choose[i - 1][j - 1] + choose[i - 1][j];
    for (unsigned x = 0; x <= m && x <= a + b; x++) {
        double weight = a + b - x <= n ? choose[m][x] * choose[n][a + b - x] : 0;

        all += weight;
        up += x >= b ? weight : 0;
        down += x <= b ? weight : 0;
    }
    return fmin(1, 2 * fmin(up, down) / all);
}

static void test_fisher(void **state)
{
    const struct tally none = {0, 20, 0}, some = {5, 20, 0};
    struct tally far_a = {10, 100000000, 0}, far_b = {90000000, 100000000, 0};

    (void)state;
    for (unsigned a = 0; a <= 18; a++)
        for (unsigned b = 0; b <= 13; b++) {
            const struct tally left = {a, 18, 0}, right = {b, 13, 0};

            check_near(share_diff_fisher(&left, &right), fisher_again(a, 18, b, 13), 1e-12);
        }
    /* 5 of 20 against none of 20: 2 x C(20,5)/C(40,5). */
    check_near(share_diff_fisher(&none, &some), 2 * 15504 / 658008.0, 1e-12);
    check_near(share_diff_fisher(&some, &none), 2 * 15504 / 658008.0, 1e-12);
    assert_true(share_diff_fisher(&far_a, &far_b) < 1e-300);
    assert_true(share_diff_fisher(&none, &none) == 1);
}

/* Holm's own way: the smallest p times 4, the next times 3, and never less than the one before. */
static void test_holm(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_EACH, 10000), .b = run_of(PAIR_EACH, 10000)};
    static const char *const names[] = {"d", "c", "b", "a"};
    static const uint64_t hits[] = {500, 585, 600, 580};
    double p[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct share_diff_row *row = share_diff_add(&c, names[i]);

        row->a = (struct tally){500, 10000, 0};
        row->b = (struct tally){hits[i], 10000, 0};
    }
    share_diff_finish(&c);
    for (size_t i = 0; i < 4; i++)
        p[i] = c.row[i].p; /* by size: 600, 585, 580, 500 hits */
    assert_string_equal(c.row[0].name, "b");
    assert_string_equal(c.row[3].name, "d");
    check_near(c.row[0].adjusted, 4 * p[0], 1e-12);
    check_near(c.row[1].adjusted, 3 * p[1], 1e-12);
    check_near(c.row[2].adjusted, fmax(2 * p[2], 3 * p[1]), 1e-12);
    check_near(c.row[3].adjusted, 1, 1e-12);
    assert_true(c.row[2].significant && !c.row[3].significant);
    share_diff_free(&c);
}

/*
 * Two runs of one truth of which handlers move a share by its part of what they may, each in its own way: of so many
 * samples that chance is nothing the difference has 0 at the end of its interval, and is none.
 */
static void test_bias(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_EACH, 100000000), .b = run_of(PAIR_EACH, 100000000)};
    struct share_diff_row row;

    (void)state;
    c.a.estimator.bias = 0.02;
    c.b.estimator.bias = 0.01;
    for (int round = 0; round < 2; round++) {
        const double down = 0.3 / (1 + c.a.estimator.bias), up = 0.3 / (1 - c.b.estimator.bias);

        row = row_of((uint64_t)(1e8 * down), 100000000, (uint64_t)(1e8 * up), 100000000);
        share_diff_row(&c, &row);
        assert_true(row.low < 0 && row.low > -0.001 && row.p == 1);
        row.b.hits += 100000; /* a thousandth more is no handler's */
        share_diff_row(&c, &row);
        assert_true(row.low > 0 && row.p < 1e-6);
        row = row_of((uint64_t)(1e8 * up), 100000000, (uint64_t)(1e8 * down), 100000000);
        c = (struct share_diff){.a = c.b, .b = c.a};
        share_diff_row(&c, &row);
        assert_true(row.high > 0 && row.high < 0.001 && row.p == 1);
    }
}

/* Code in few long phases: the pairs know of it what counts alone do not. */
static void test_phases(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_STRATUM, 7200), .b = run_of(PAIR_STRATUM, 7200)};
    struct share_diff_row row = row_of(3000, 7200, 3100, 7200);

    (void)state;
    row.a.changes = row.b.changes = 5;
    share_diff_row(&c, &row);
    assert_true(row.low > 0 && row.p < 1e-6);
    row.a.changes = row.b.changes = 1700; /* as coins fall */
    share_diff_row(&c, &row);
    assert_true(row.low < 0 && row.p > 0.05);
}

/* Samples that may be anyone's make no difference certain that they could explain. */
static void test_unknown(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_EACH, 10000), .b = run_of(PAIR_EACH, 10000)};
    struct share_diff_row known = row_of(500, 10000, 700, 10000), row = known;

    (void)state;
    share_diff_row(&c, &known);
    assert_true(known.p < 1e-6);
    c.b.unknown = 1000; /* B has 700 for sure: still more */
    share_diff_row(&c, &row);
    check_near(row.p, known.p, 1e-15);
    check_near(row.low, known.low, 1e-15);
    assert_true(row.high > known.high + 0.09);
    c.a.unknown = 1000; /* A may have 1500 */
    share_diff_row(&c, &row);
    assert_true(row.p == 1 && row.low < 0 && row.high > 0);
    c.a.unknown = UINT64_MAX;
    share_diff_row(&c, &row);
    assert_true(row.p == 1 && row.low >= -1);
}

static void test_no_interval(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_EACH, 1000), .b = run_of(PAIR_NEVER, 1000)};
    const struct fail_condition any = {.any = true};

    (void)state;
    c.b.estimator.reason = "fixed ticks";
    assert_string_equal(share_diff_reason(&c), "fixed ticks");
    share_diff_add(&c, "f")->b.hits = 900;
    share_diff_finish(&c);
    check_near(c.row[0].difference, 0.9, 1e-12);
    assert_true(isnan(c.row[0].low) && isnan(c.row[0].high) && isnan(c.row[0].p));
    assert_true(isnan(c.row[0].adjusted) && !c.row[0].significant);
    assert_false(fail_if_matches(&any, &c.row[0]));
    share_diff_free(&c);
    c = (struct share_diff){.a = run_of(PAIR_EACH, 0), .b = run_of(PAIR_EACH, 10)};
    assert_string_equal(share_diff_reason(&c), "no samples");
    share_diff_finish(&c); /* without any row */
    share_diff_free(&c);
}

/* Any counts at all: nothing outside its bounds. */
static void test_bounds(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        enum pairing pairing = i & 1 ? PAIR_STRATUM : PAIR_EACH;
        uint64_t n = 1 + (uint64_t)exp(16 * uniform(&random));
        uint64_t m = 1 + (uint64_t)exp(16 * uniform(&random));
        struct share_diff c = {.a = run_of(pairing, n), .b = run_of(PAIR_EACH, m)};
        struct share_diff_row row = row_of((uint64_t)(uniform(&random) * ((double)n + 1)), n,
                                        (uint64_t)(uniform(&random) * ((double)m + 1)), m);

        c.b.estimator.cv2 = 1 / 3.0;
        row.a.changes = (uint64_t)(uniform(&random) * (double)row.a.hits);
        row.b.changes = (uint64_t)(uniform(&random) * (double)row.b.hits);
        share_diff_row(&c, &row);
        assert_true(row.low <= row.difference && row.difference <= row.high);
        assert_true(row.low >= -1.0000001 && row.high <= 1.0000001);
        assert_true(row.p >= 0 && row.p <= 1);
    }
}

/* A row is a name: what is in one run only has no hit in the other. */
static void test_names(void **state)
{
    struct share_diff c = {.a = run_of(PAIR_EACH, 1000), .b = run_of(PAIR_EACH, 2000)};

    (void)state;
    share_diff_add(&c, "moved")->a = (struct tally){100, 1000, 0};
    share_diff_add(&c, "gone")->a = (struct tally){300, 1000, 0};
    share_diff_add(&c, "moved")->b = (struct tally){200, 2000, 0};
    share_diff_add(&c, "new")->b = (struct tally){500, 2000, 0};
    share_diff_finish(&c);
    assert_int_equal(c.rows, 3);
    assert_string_equal(c.row[0].name, "gone");
    check_near(c.row[0].difference, -0.3, 1e-12);
    assert_int_equal(c.row[0].b.samples, 2000);
    assert_string_equal(c.row[1].name, "new");
    check_near(c.row[1].difference, 0.25, 1e-12);
    assert_int_equal(c.row[1].a.samples, 1000);
    check_near(c.row[2].difference, 0, 1e-12);
    assert_true(c.row[0].significant && c.row[1].significant && !c.row[2].significant);
    share_diff_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newcombe),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_fisher),
        cmocka_unit_test(test_holm), cmocka_unit_test(test_bias),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
