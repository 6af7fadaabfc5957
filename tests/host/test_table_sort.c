/* SPDX-License-Identifier: MIT */
/* The orders of a table's rows, and the difference of two snapshots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/table_sort.h"

#define TICK 1000000u

static const struct table_options options = {.estimator = {PAIR_STRATUM, 0.0, NULL, 0}, .excess_per_tick = TICK};

static struct snapshot_row *add(struct snapshot *s, const char *name, uint32_t id, uint64_t user, uint64_t kernel,
                                uint64_t exact)
{
    struct snapshot_row *row = snapshot_row(s, id);

    strcpy(row->name, name);
    row->hits[MODE_USER] = user;
    row->hits[MODE_KERNEL] = kernel;
    row->total = user + kernel;
    row->total_changes = row->total / 2;
    row->changes[MODE_USER] = user / 2;
    row->changes[MODE_KERNEL] = kernel / 2;
    row->time[MODE_USER] = exact * TICK;
    return row;
}

/* 100 samples of as many ticks.  Errors: CP -2, AM +5, ROGUE +1, DS -4. */
static struct snapshot *sample(void)
{
    struct snapshot *s = calloc(1, sizeof *s);

    add(s, "", ROW_IDLE, 0, 40, 40);
    add(s, "CP", 3, 1, 9, 12);
    add(s, "ROGUE", 7, 20, 1, 20);
    add(s, "AM", 9, 20, 5, 20);
    add(s, "DS", 4, 2, 2, 8);
    s->samples = s->ticks = 100;
    s->begin = s->first = 5;
    s->end = 5 + 100ull * TICK;
    s->exact = true;
    return s;
}

static void check_order(enum table_order order, const char *wanted)
{
    struct snapshot *s = sample();
    char names[64] = "";

    table_sort_by(s, order, &options);
    for (uint32_t r = 0; r < s->rows; r++)
        strcat(strcat(names, s->row[r].name), " ");
    assert_string_equal(names, wanted);
    free(s);
}

/* Rows with equal keys by name; IDLE has the most samples and stays last. */
static void test_orders(void **state)
{
    (void)state;
    check_order(TABLE_BY_NAME, "AM CP DS ROGUE  ");
    check_order(TABLE_BY_TOTAL, "AM ROGUE CP DS  ");
    check_order(TABLE_BY_USER, "AM ROGUE DS CP  ");
    check_order(TABLE_BY_KERNEL, "CP AM DS ROGUE  ");
    check_order(TABLE_BY_ERROR, "AM DS CP ROGUE  ");
}

/* Without exact times no error is known: the order is that of the names. */
static void test_unknown_errors(void **state)
{
    struct snapshot *s = sample();

    (void)state;
    s->exact = false;
    table_sort_by(s, TABLE_BY_ERROR, &options);
    assert_string_equal(s->row[0].name, "AM");
    assert_string_equal(s->row[3].name, "ROGUE");
    assert_true(isnan(table_error(s, &s->row[0], &options)));
    free(s);
}

static void test_names(void **state)
{
    enum table_order order = TABLE_BY_NAME;

    (void)state;
    for (unsigned i = 0; i < TABLE_ORDERS; i++) {
        assert_true(table_order_named(&order, span_text(table_order_name((enum table_order)i))));
        assert_int_equal(order, i);
    }
    assert_false(table_order_named(&order, span_text("size")));
    assert_false(table_order_named(&order, span_text("")));
    assert_int_equal(order, TABLE_ORDERS - 1);
}

/* ---- differences ---- */

/* `s` after 50 more samples: 30 of ROGUE, user mode, and 20 of a new task. */
static struct snapshot *later_than(const struct snapshot *s)
{
    struct snapshot *later = malloc(sizeof *later);

    *later = *s;
    later->samples += 50;
    later->ticks += 52;
    later->late += 3;
    later->end += 52ull * TICK;
    later->row[2].hits[MODE_USER] += 30;
    later->row[2].total += 30;
    later->row[2].total_changes += 2;
    add(later, "NEW", 11, 0, 20, 20);
    return later;
}

static void test_difference(void **state)
{
    struct snapshot *before = sample(), *later = later_than(before), *between = malloc(sizeof *between);

    (void)state;
    assert_true(snapshot_difference(between, later, before));
    assert_int_equal(between->samples, 50);
    assert_int_equal(between->late, 3);
    assert_int_equal(between->end - between->begin, 52 * TICK);
    assert_int_equal(between->row[2].total, 30);
    assert_int_equal(between->row[2].hits[MODE_KERNEL], 0);
    assert_int_equal(between->row[2].total_changes, 2);
    assert_int_equal(between->row[1].total, 0);
    assert_string_equal(between->row[5].name, "NEW");
    assert_int_equal(between->row[5].total, 20);
    assert_true(fabs(table_row(between, &between->row[2], &options).total.percent - 60.0) < 1e-9);
    free(before);
    free(later);
    free(between);
}

/* What a task had counted before it ended is not of the time in between, though ENDED has it now. */
static void test_ended(void **state)
{
    struct snapshot *before = sample(), *later = later_than(before), *between = malloc(sizeof *between);

    (void)state;
    later->row[4] = later->row[5]; /* DS went, with 4 samples, and one more of ENDED */
    later->rows--;
    add(later, "ENDED", ROW_ENDED, 3, 2, 8);
    assert_true(snapshot_difference(between, later, before));
    assert_string_equal(between->row[5].name, "ENDED");
    assert_int_equal(between->row[5].total, 1);
    assert_int_equal(between->row[5].hits[MODE_USER], 1);
    assert_int_equal(between->row[5].hits[MODE_KERNEL], 0);
    free(before);
    free(later);
    free(between);
}

static void refuse(struct snapshot *later, const struct snapshot *before)
{
    static struct snapshot between;

    assert_false(snapshot_difference(&between, later, before));
    free(later);
}

/* Two windows, time that did not pass, counters that went down: none of them is a difference. */
static void test_no_difference(void **state)
{
    struct snapshot *before = sample(), *later;

    (void)state;
    later = later_than(before);
    later->begin++;
    refuse(later, before);
    later = later_than(before);
    later->end = before->end;
    refuse(later, before);
    later = later_than(before);
    later->samples = 99;
    refuse(later, before);
    later = later_than(before);
    later->regions = 1;
    refuse(later, before);
    free(before);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),     cmocka_unit_test(test_unknown_errors), cmocka_unit_test(test_names),
        cmocka_unit_test(test_difference), cmocka_unit_test(test_ended),
        cmocka_unit_test(test_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
