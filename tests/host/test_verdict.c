/* SPDX-License-Identifier: MIT */
/* The sentence about a table: no "most" and no order where intervals overlap, digits that the intervals bear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/verdict.h"

static struct snapshot s;
static struct table_options options;

static void begin(uint64_t samples)
{
    memset(&s, 0, sizeof s);
    s.samples = s.ticks = samples;
    options = (struct table_options){.estimator = {PAIR_STRATUM, 0.0, NULL, 0}};
}

/* As many pairs with one sample of the row as independent samples have. */
static void add(const char *name, uint32_t id, uint64_t user, uint64_t kernel)
{
    struct snapshot_row *const row = snapshot_row(&s, id);

    strcpy(row->name, name);
    row->hits[MODE_USER] = user;
    row->hits[MODE_KERNEL] = kernel;
    row->total = user + kernel;
    row->total_changes = row->total * (s.samples - row->total) / s.samples;
}

static void check(const char *wanted)
{
    char sentence[VERDICT_SENTENCE];

    verdict_make(sentence, &s, &options);
    assert_string_equal(sentence, wanted);
}

static void test_lead(void **state)
{
    (void)state;
    begin(7200);
    add("CP", 3, 400, 300);
    add("ROGUE", 7, 576, 2448);
    add("IDLE", ROW_IDLE, 0, 216);
    check("ROGUE used 42 % of the CPU, 34 of it in its system calls; the machine was 97 % busy.");
}

/* 51 % of few samples may be less than a half; of many it is more. */
static void test_half(void **state)
{
    (void)state;
    begin(1000);
    add("SPIN", 1, 510, 0);
    add("IDLE", ROW_IDLE, 0, 490);
    check("SPIN used 51 % of the CPU, all of it in its own program; the machine was 51 % busy.");
    begin(100000);
    add("SPIN", 1, 51000, 0);
    add("IDLE", ROW_IDLE, 0, 49000);
    check("SPIN used most of the CPU, 51.0 %, all of it in its own program; the machine was 51.0 % busy.");
}

static void test_rivals(void **state)
{
    (void)state;
    begin(1000);
    add("A", 1, 260, 0);
    add("B", 2, 250, 0);
    add("C", 3, 100, 0);
    check("A used 26 % of the CPU, all of it in its own program, and B may have used as much; the machine was never "
          "idle.");
    add("D", 4, 251, 0);
    check("A used 26 % of the CPU, all of it in its own program, and 2 other tasks may have used as much; the "
          "machine was never idle.");
}

static void test_no_intervals(void **state)
{
    (void)state;
    begin(1000);
    add("SPIN", 1, 900, 50);
    add("IDLE", ROW_IDLE, 0, 50);
    options.estimator.reason = "fixed ticks";
    check("SPIN used 95 % of the CPU, 90 of it in its own program; the machine was 95 % busy; shares have no "
          "intervals: fixed ticks.");
}

/* 99.96 is not printed as all, nor 0.3 as nothing. */
static void test_ends(void **state)
{
    (void)state;
    begin(10000);
    add("A", 1, 9000, 0);
    add("IDLE", ROW_IDLE, 0, 4);
    check("A used most of the CPU, 90 %, all of it in its own program; the machine was 99.96 % busy.");
    begin(10000);
    add("PROBE", 2, 0, 60);
    add("A", 1, 30, 0);
    add("IDLE", ROW_IDLE, 0, 9910);
    check("A used 0.3 % of the CPU, all of it in its own program; the machine was 0.9 % busy.");
}

static void test_rows_of_no_task(void **state)
{
    (void)state;
    begin(1000);
    add("A", 1, 0, 200);
    add("IDLE", ROW_IDLE, 0, 300);
    *snapshot_row(&s, ROW_MASKED) = (struct snapshot_row){.id = ROW_MASKED, .total = 500, .total_changes = 250};
    check("A used 20 % of the CPU, all of it in its system calls; the machine was 70 % busy; 50 % are in row MASKED, "
          "of no task.");
    begin(1000);
    add("PROBE", 1, 0, 20);
    add("IDLE", ROW_IDLE, 0, 980);
    check("No task was seen; the machine was 2 % busy.");
    begin(10); /* of which few hits put 3.55 on nobody */
    add("IDLE", ROW_IDLE, 0, 10);
    check("No task was seen in 10 samples, after which one may have used up to 36 % of the CPU; the machine was 0 % "
          "busy.");
    begin(0);
    check("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lead),         cmocka_unit_test(test_half), cmocka_unit_test(test_rivals),
        cmocka_unit_test(test_no_intervals), cmocka_unit_test(test_ends), cmocka_unit_test(test_rows_of_no_task),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
