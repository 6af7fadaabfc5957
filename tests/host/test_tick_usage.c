/* SPDX-License-Identifier: MIT */
/* Tick counters as they are told, load averages, and differences of readings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/dump.h"
#include "tests/host/dumped.h"
#include "tools/analysis/procstat_diff.h"

#define EPOCH 7

/* A tenth, two fifths and the whole of a tick; 128 Hz is 7812500 ns. */
static void test_told(void **state)
{
    (void)state;
    assert_int_equal(tick_usage_told(1009, 1000), 100);
    assert_int_equal(tick_usage_told(9, 1000), 0);
    assert_int_equal(tick_usage_told(7, 250), 2);
    assert_int_equal(tick_usage_told(123, 100), 123);
    assert_int_equal(tick_usage_told(3, 10), 30);
    assert_int_equal(tick_usage_told(128, 128), 100);
    assert_int_equal(tick_usage_told(WIRE_TICKS_MAX, 1000), WIRE_TICKS_MAX / 10);
}

/* One task for ever: e to the -5/60 is forgotten at each look, so that one minute leaves 1/e. */
static void test_load(void **state)
{
    uint64_t average = 0;
    char text[32];
    struct text_buf b = TEXT_BUF(text);

    (void)state;
    for (unsigned i = 0; i < 12; i++)
        average = load_average_next(average, LOAD_WEIGHT1, 1);
    assert_true(fabs((double)average / LOAD_ONE - (1 - exp(-1))) < 0.003);
    for (unsigned i = 0; i < 1000; i++)
        average = load_average_next(average, LOAD_WEIGHT1, 3);
    load_average_print(&b, average);
    assert_string_equal(text, "3.00");
    buf_reset(&b);
    load_average_print(&b, LOAD_ONE / 20);
    assert_string_equal(text, "0.05");
}

static void put(const struct wire_procstat *head, uint64_t user, uint64_t system)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_PROCSTAT, head);
    wire_row(&w, WIRE_PROCSTAT, &(struct wire_procstat_row){1, 100, 0, user, system});
    dump_end_frame(&d, &w);
}

/* 1 s to 2 s at 250 Hz: 100 user, 50 system, 100 idle; and 250 more in the same second, of another task. */
static void test_diff(void **state)
{
    struct procstat_diff diff;

    (void)state;
    dump_hello(&d, EPOCH, "rate=120 monitor=procstat output=frames");
    put(&(struct wire_procstat){.epoch = EPOCH, .serial = 1, .begin = 0, .end = 1000000000, .hz = 250, .user = 150,
                                .idle = 100}, 150, 0);
    put(&(struct wire_procstat){.epoch = EPOCH, .serial = 2, .begin = 0, .end = 2000000000, .hz = 250, .user = 250,
                                .system = 50, .idle = 200},
        250, 50);
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    assert_true(procstat_diff_make(&diff, got.model.epoch[0], 500000000, UINT64_MAX));
    assert_int_equal(diff.sum, 250);
    assert_int_equal(diff.mode[TICK_USER].told, 40);
    assert_true(fabs(diff.mode[TICK_SYSTEM].level - 20) < 1e-9 && fabs(diff.busy - 60) < 1e-9);
    assert_true(fabs(diff.mode[TICK_IDLE].elapsed - 40) < 1e-9 && isnan(diff.busy_exact));
    assert_int_equal(diff.task[0].user, 100);
    procstat_diff_free(&diff);
    assert_false(procstat_diff_make(&diff, got.model.epoch[0], 1500000000, UINT64_MAX));
    assert_false(procstat_diff_make(&diff, got.model.epoch[0], 0, 500000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told), cmocka_unit_test(test_load),
                                       cmocka_unit_test_teardown(test_diff, end)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
