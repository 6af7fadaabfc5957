/* SPDX-License-Identifier: MIT */
/*
 * The exact run queue of made-up events: damped averages by hand, what a tick finds,
 * requests that are put into the past.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/trace/run_queue.h"

#define HZ    1000.0 /* clock units in a second: milliseconds */
#define TICKS 100
#define EVERY 5010 /* 5 s and a tick */
#define NEAR  1e-9
#define IDLE  trace_task(ROW_IDLE, 0)
#define A     trace_task(100, 1)
#define B     trace_task(101, 2)

static struct run_queue q;
static uint64_t number;

static void event(int64_t time, enum trace_class class, uint64_t argument)
{
    run_queue_take(&q, &(struct timeline_item){.kind = TIMELINE_EVENT, .event = {
        .time = time, .number = number++, .class = class, .argument = argument, .known = KNOWN_TIME,
    }});
}

static void begin(int64_t end)
{
    number = 0;
    assert_true(run_queue_begin(&q, HZ, TICKS, 0, end));
    event(0, TRACE_SWITCH, IDLE);
}

/* What is left of 1 after so many milliseconds. */
static double left(double minutes, double ms)
{
    return exp(-ms / (60000.0 * minutes));
}

/* A runs from 0 on, B is ready from 2000 to 7000. */
static void test_averages(void **state)
{
    static const double minutes[LOAD_AVERAGES] = {1, 5, 15};

    (void)state;
    begin(2 * EVERY);
    event(0, TRACE_WAKE, A);
    event(0, TRACE_SWITCH, A);
    event(2000, TRACE_WAKE, B);
    event(7000, TRACE_SWITCH, B);
    event(7000, TRACE_SLEEP, B);
    event(7000, TRACE_SWITCH, A);
    run_queue_finish(&q, 2 * EVERY);
    assert_int_equal(q.looks, 2);
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        const double a = 1 - left(minutes[i], 2 * EVERY),
                     b = left(minutes[i], 2 * EVERY - 7000) - left(minutes[i], 2 * EVERY - 2000);

        assert_true(fabs(q.look[1].average[i] - a - b) < NEAR);
    }
    assert_true(fabs(run_queue_mean(&q) - 1 - 5000.0 / (2 * EVERY)) < NEAR);
    assert_true(q.look[0].least == 2 && q.look[0].most == 2 && q.look[1].least == 1 && q.look[1].most == 1);
    assert_int_equal(run_queue_looked(&q, 0, true), load_average_next(load_average_next(0, LOAD_WEIGHT1, 2),
                                                                      LOAD_WEIGHT1, 1));
    run_queue_free(&q);
}

/* A is awake within the tick of the first look only. */
static void test_tick(void **state)
{
    (void)state;
    begin(EVERY + 100);
    event(EVERY + 2, TRACE_WAKE, A);
    event(EVERY + 2, TRACE_SWITCH, A);
    event(EVERY + 4, TRACE_SLEEP, A);
    event(EVERY + 4, TRACE_SWITCH, IDLE);
    event(EVERY + 12, TRACE_WAKE, B);
    run_queue_finish(&q, EVERY + 100);
    assert_true(q.look[0].least == 0 && q.look[0].most == 1);
    run_queue_free(&q);
}

/* A waits for a device from 5000 to 5100, over the look; that it did is known by the end of its request. */
static void test_request(void **state)
{
    (void)state;
    begin(2 * EVERY);
    event(0, TRACE_WAKE, A);
    event(0, TRACE_SWITCH, A);
    event(5000, TRACE_IO_START, 1);
    event(5000, TRACE_SLEEP, A);
    event(5000, TRACE_SWITCH, IDLE);
    event(5100, TRACE_IO_END, 1);
    event(5100, TRACE_WAKE, A);
    event(5100, TRACE_SWITCH, A);
    run_queue_finish(&q, 2 * EVERY);
    assert_true(q.look[0].least == 1 && q.look[0].most == 1);
    assert_true(fabs(q.look[0].average[0] - (1 - left(1, EVERY))) < NEAR);
    assert_true(fabs(q.look[1].average[2] - (1 - left(15, 2 * EVERY))) < NEAR);
    assert_true(fabs(run_queue_mean(&q) - 1) < NEAR);
    run_queue_free(&q);
}

/* A queue that is 0 or 1 for half of the time each has a deviation of a half. */
static void test_noise(void **state)
{
    (void)state;
    begin(2 * EVERY);
    event(EVERY, TRACE_WAKE, A);
    event(EVERY, TRACE_SWITCH, A);
    run_queue_finish(&q, 2 * EVERY);
    assert_true(fabs(run_queue_noise(&q, 0) -
                     0.5 * sqrt((1 - left(1, 5000)) / (1 + left(1, 5000)) * (1 - pow(left(1, 5000), 4)))) < NEAR);
    run_queue_free(&q);
}

static void test_refused(void **state)
{
    (void)state;
    assert_false(run_queue_begin(&q, 1.0, 1, 0, INT64_MAX));
    assert_false(run_queue_begin(&q, HZ, TICKS, 1000, 0));
    assert_false(run_queue_begin(&q, HZ, TICKS, INT64_MIN, 0));
    begin(100);
    assert_int_equal(q.looks, 0);
    run_queue_take(&q, &(struct timeline_item){.kind = TIMELINE_GAP, .gap = {.begin = 50, .end = 60}});
    assert_true(q.gaps);
    run_queue_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_averages), cmocka_unit_test(test_tick), cmocka_unit_test(test_request),
        cmocka_unit_test(test_noise), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
