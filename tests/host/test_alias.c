/* SPDX-License-Identifier: MIT */
/* The alias alarm: which cells are compared, from where on they differ, who is blamed and what is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/alias.h"

#define N 2000

static const struct table_options strata = {.estimator = {PAIR_STRATUM, 0, NULL, 0}},
                                  fixed = {.estimator = {PAIR_NEVER, 0, "fixed ticks", 0}};

/* Two samplers of one run: HOG and IDLE have its time half and half. */
struct two {
    struct snapshot snapshot[2];
    struct alias_side side[2];
    struct alias alias;
};

static void set(struct snapshot *s, uint32_t id, const char *name, uint64_t hits, uint64_t changes, uint64_t time)
{
    struct snapshot_row *row = snapshot_row(s, id);

    strcpy(row->name, name);
    row->hits[MODE_USER] = row->total = hits;
    row->changes[MODE_USER] = row->total_changes = changes;
    row->time[MODE_USER] = time;
}

static void side(struct two *t, unsigned i, const char *source, const struct table_options *o, uint64_t hits,
                 uint64_t changes)
{
    struct snapshot *s = &t->snapshot[i];

    memset(s, 0, sizeof *s);
    s->samples = N;
    s->end = 1000;
    s->exact = true;
    set(s, 1, "HOG", hits, changes, 500);
    set(s, ROW_IDLE, "IDLE", N - hits, changes, 500);
    t->side[i] = (struct alias_side){source, s, o};
}

static void test_agree(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "rtc", &fixed, N / 2 + 40, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.compared, 2);
    assert_int_equal(t.alias.differ, 0);
    /* 2 points; the design tells of one, of the other the share of both together. */
    assert_true(fabs(t.alias.most - 0.02 / sqrt(201.0 / N / N + 0.51 * 0.49 / N)) < 1e-4);
    assert_true(fabs(t.alias.limit - 2.807034) < 1e-9);
    assert_false(t.alias.wrong[0] || t.alias.wrong[1]);
}

/* What handlers may move the two sides by is no difference of clocks. */
static void test_handlers(void **state)
{
    struct two t;
    double most;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "rtc", &fixed, N / 2 + 150, 0);
    alias_compare(&t.alias, t.side);
    most = t.alias.most;
    assert_int_equal(t.alias.differ, 2);
    t.snapshot[0].points = N;
    t.snapshot[0].monitor = 40; /* of 1000 */
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 0);
    assert_true(fabs(t.alias.most / most - (0.075 - 0.04) / 0.075) < 1e-9);
}

static void test_truth(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "lapic", &fixed, 0, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 2);
    assert_true(t.alias.measured && t.alias.wrong[1] && !t.alias.wrong[0]);
    assert_true(t.alias.cell[0].percent[0] == 50 && t.alias.cell[0].exact[1] == 50);
    side(&t, 0, "pit", &strata, 0, 0); /* now the one that varies is wrong, and is named */
    side(&t, 1, "lapic", &fixed, N / 2, 0);
    alias_compare(&t.alias, t.side);
    assert_true(t.alias.wrong[0] && !t.alias.wrong[1]);
    side(&t, 0, "pit", &strata, N / 4, 200); /* both */
    side(&t, 1, "lapic", &fixed, N - N / 4, 0);
    alias_compare(&t.alias, t.side);
    assert_true(t.alias.wrong[0] && t.alias.wrong[1]);
}

static void test_no_truth(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "lapic", &fixed, 0, 0);
    t.snapshot[0].exact = t.snapshot[1].exact = false;
    alias_compare(&t.alias, t.side);
    assert_true(t.alias.differ == 2 && !t.alias.measured && t.alias.wrong[1] && !t.alias.wrong[0]);
    assert_true(t.alias.cell[0].exact[0] != t.alias.cell[0].exact[0]);
    t.side[1].options = &strata; /* both vary: nobody knows */
    alias_compare(&t.alias, t.side);
    assert_true(t.alias.differ == 2 && !t.alias.wrong[0] && !t.alias.wrong[1]);
}

static void test_few(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, ALIAS_HITS - 1, 10);
    side(&t, 1, "rtc", &fixed, 0, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.compared, 1); /* IDLE alone */
    side(&t, 0, "pit", &strata, ALIAS_HITS, 10);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.compared, 2);
    /* However sure: less than 0.2 points apart is no difference. */
    side(&t, 0, "pit", &strata, N / 2, 0);
    side(&t, 1, "lapic", &strata, N / 2 + 3, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 0);
    side(&t, 1, "lapic", &strata, N / 2 + 4, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 2);
    t.snapshot[1].samples = 0;
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.compared, 0);
}

/* One hit where nine were due, beside many samples, is chance; none where 27 were is not. */
static void test_few_due(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, 1, 1);
    side(&t, 1, "timeout", &fixed, 36, 0);
    t.snapshot[1].samples = 4 * N;
    set(&t.snapshot[1], ROW_IDLE, "IDLE", 4 * N - 36, 0, 500);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 0);
    assert_true(t.alias.most > 1.5 && t.alias.most < t.alias.limit);
    side(&t, 0, "pit", &strata, 0, 0);
    set(&t.snapshot[1], 1, "HOG", 108, 0, 500);
    alias_compare(&t.alias, t.side);
    assert_true(t.alias.differ > 0);
}

/* A task that one of the two has no row of, and rows that are no task. */
static void test_rows(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "rtc", &fixed, N / 2, 0);
    set(&t.snapshot[1], 7, "NEW", 400, 0, 0);
    set(&t.snapshot[0], ROW_MASKED, "MASKED", 900, 400, 0);
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.compared, 3);
    assert_int_equal(t.alias.differ, 1);
    assert_string_equal(t.alias.cell[0].row->name, "NEW");
    assert_true(t.alias.cell[0].exact[0] != t.alias.cell[0].exact[0]);
}

/* More cells than are kept: the largest are, in order. */
static void test_kept(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 200);
    side(&t, 1, "rtc", &fixed, N / 2, 0);
    for (uint32_t i = 0; i < 2 * ALIAS_KEPT; i++) {
        set(&t.snapshot[0], 100 + i, "MORE", 200 + 37 * i % 64, 60, 0);
        set(&t.snapshot[1], 100 + i, "MORE", 0, 0, 0);
    }
    alias_compare(&t.alias, t.side);
    assert_int_equal(t.alias.differ, 2 * ALIAS_KEPT);
    assert_int_equal(t.alias.cells, ALIAS_KEPT);
    assert_true(fabs(t.alias.cell[0].z) == t.alias.most);
    for (unsigned i = 1; i < ALIAS_KEPT; i++)
        assert_true(fabs(t.alias.cell[i - 1].z) >= fabs(t.alias.cell[i].z));
}

/* Each limit is what chance passes so often; more cells than one is for take the next. */
static void test_limits(void **state)
{
    struct two t;

    (void)state;
    for (uint32_t cells = 2; cells <= SNAPSHOT_ROWS; cells++) {
        double power = 1;

        while (power < cells)
            power *= 2;
        side(&t, 0, "pit", &strata, N / 2, 200);
        side(&t, 1, "rtc", &fixed, N / 2, 0);
        for (uint32_t i = 2; i < cells; i++)
            set(&t.snapshot[0], 100 + i, "MORE", ALIAS_HITS, 10, 0);
        alias_compare(&t.alias, t.side);
        assert_int_equal(t.alias.compared, cells);
        assert_true(fabs(erfc(t.alias.limit / sqrt(2)) * power / ALIAS_CHANCE - 1) < 1e-4);
    }
}

static char said[1024];

static void say(void *context, const char *text)
{
    (void)context;
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", text);
}

static const char *print(struct two *t)
{
    said[0] = '\0';
    alias_compare(&t->alias, t->side);
    alias_print(&t->alias, t->side, say, NULL);
    return said;
}

static void test_print(void **state)
{
    struct two t;

    (void)state;
    side(&t, 0, "pit", &strata, N / 2, 399);
    side(&t, 1, "lapic", &fixed, 0, 0);
    assert_string_equal(print(&t),
                        "ALIAS    pit and lapic differ in 2 of 2 cells (largest |z| 35.92, limit 2.81)\n"
                        "         HOG user: pit 50.00 of 50.00 %, lapic 0.00 of 50.00 %, z 35.92\n"
                        "         IDLE user: pit 50.00 of 50.00 %, lapic 100.00 of 50.00 %, z -35.92\n"
                        "wrong    lapic, by the exact table\n");
    t.snapshot[0].exact = t.snapshot[1].exact = false;
    print(&t);
    assert_non_null(strstr(said, "HOG user: pit 50.00 %, lapic 0.00 %, z 35.92\n"));
    assert_non_null(strstr(said, "wrong    lapic: its interval does not vary (a judgement"));
    t.side[0].options = &fixed;
    assert_non_null(strstr(print(&t), "wrong    one of them: there is no exact table to tell which\n"));
    side(&t, 0, "pit", &strata, 0, 0);
    side(&t, 1, "rtc", &fixed, 1, 0);
    assert_string_equal(print(&t), "alias    none: pit and rtc agree in all 1 cell (largest |z| 0.82, limit 2.58)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agree), cmocka_unit_test(test_handlers), cmocka_unit_test(test_truth),
        cmocka_unit_test(test_no_truth),
        cmocka_unit_test(test_few),   cmocka_unit_test(test_few_due), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_kept),  cmocka_unit_test(test_limits), cmocka_unit_test(test_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
