/* SPDX-License-Identifier: MIT */
/* What ends a run by precision=: which row rules, when it may stop, and that the table says the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/precision.h"
#include "probe/stats/table.h"

static const struct estimator strata = {PAIR_STRATUM, 0, NULL, 0}, none = {PAIR_NEVER, 0, "fixed ticks", 0};

static void add(struct snapshot *s, uint32_t id, uint64_t hits, uint64_t changes)
{
    struct snapshot_row *row = snapshot_row(s, id);

    row->total = hits;
    row->total_changes = changes;
}

/* 1200 samples: two tasks, IDLE, and rows that are no tasks and would rule. */
static void prepare(struct snapshot *s)
{
    memset(s, 0, sizeof *s);
    s->samples = 1200;
    add(s, 1, 100, 60);
    add(s, 2, 400, 120);
    add(s, ROW_IDLE, 100, 70);
    add(s, ROW_MASKED, 300, 300);
    add(s, ROW_LOST, 300, 300);
}

static void test_rule(void **state)
{
    struct snapshot s;
    struct precision p;

    (void)state;
    prepare(&s);
    p = precision_of(&s, &strata);
    assert_ptr_equal(p.row, snapshot_row(&s, 2));
    assert_true(p.half > 1.5 && p.half < 2);
    assert_true(precision_reached(&s, &p, 2000));
    assert_false(precision_reached(&s, &p, 1500));
    s.samples = PRECISION_SAMPLES - 1;
    p = precision_of(&s, &strata);
    assert_false(precision_reached(&s, &p, 50000));
}

/* Two tasks that change places in long phases: hardly a pair tells them apart. */
static void test_few_changes(void **state)
{
    struct snapshot s;
    struct precision p;

    (void)state;
    memset(&s, 0, sizeof s);
    s.samples = 5000;
    add(&s, 1, 2500, PRECISION_CHANGES - 1);
    add(&s, 2, 2500, PRECISION_CHANGES - 1);
    p = precision_of(&s, &strata);
    assert_false(precision_reached(&s, &p, 50000));
    add(&s, 1, 2500, PRECISION_CHANGES);
    p = precision_of(&s, &strata);
    assert_int_equal(p.row->id, 1);
    assert_true(precision_reached(&s, &p, 50000));
}

static void test_no_interval(void **state)
{
    struct snapshot s;
    struct precision p;

    (void)state;
    prepare(&s);
    p = precision_of(&s, &none);
    assert_null(p.row);
    assert_false(precision_reached(&s, &p, 50000));
    memset(&s, 0, sizeof s);
    p = precision_of(&s, &strata);
    assert_false(precision_reached(&s, &p, 50000));
}

/* A row without a hit may own all that was lost, and rule. */
static void test_lost(void **state)
{
    struct snapshot s;
    struct precision p;

    (void)state;
    prepare(&s);
    s.lost_table = 400;
    add(&s, 3, 0, 0);
    p = precision_of(&s, &strata);
    assert_int_equal(p.row->id, 3);
    assert_true(p.half > 15);
}

static void test_as_table(void **state)
{
    const struct table_options o = {.estimator = strata};
    struct snapshot s;

    (void)state;
    for (uint64_t lost = 0; lost < 200; lost += 100) {
        struct precision p;
        struct table_row row;

        prepare(&s);
        s.lost_table = lost;
        add(&s, 3, 0, 0);
        p = precision_of(&s, &strata);
        row = table_row(&s, p.row, &o);
        assert_true(__builtin_fabs(p.half - (row.total.high - row.total.low) / 2) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),        cmocka_unit_test(test_few_changes),
        cmocka_unit_test(test_no_interval), cmocka_unit_test(test_lost),
        cmocka_unit_test(test_as_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
