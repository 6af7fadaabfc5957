/* SPDX-License-Identifier: MIT */
/*
 * Two clocks on one line: made-up drifts are found to what the readings' rounding allows;
 * made-up streams are put in order.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "tests/host/event_run.h"
#include "tests/host/timeline_of.h"
#include "tools/input/joined_input.h"
#include "tools/input/timeline_input.h"

#define PPM 1e-6
#define MOMENTS 1000u

static void drifts(void **state)
{
    static const double drift[] = {0.0, 50 * PPM, -50 * PPM, 0.001 * PPM, 0.01};

    (void)state;
    for (size_t i = 0; i < sizeof(drift) / sizeof(drift[0]); i++) {
        struct clock_fit f = {.moments = 0};

        for (unsigned n = 0; n < MOMENTS; n++)
            clock_fit_add(&f, 7.0 + (n + 5.0) * (1.0 + drift[i]), n + 5.0);
        assert_true(fabs(clock_fit_drift(&f) - drift[i]) < 1e-12);
        assert_true(fabs(clock_fit_map(&f, 123456.0) - (7.0 + 123456.0 * (1.0 + drift[i]))) < 1e-6);
        assert_true(clock_fit_drift_error(&f) >= 0.0 && clock_fit_drift_error(&f) < 1e-10);
        assert_true(clock_fit_deviation(&f) < 1e-6);
    }
}

/* Readings that are rounded to a microsecond: the interval has the drift, and is as narrow as least squares are. */
static void rounded(void **state)
{
    const double drift = 3 * PPM, step = 1e-6;
    struct clock_fit f = {.moments = 0};
    const double sigma = step / sqrt(12.0), length = MOMENTS;
    uint64_t random = 1;

    (void)state;
    for (unsigned n = 0; n < MOMENTS; n++) {
        const double b = n + (double)(splitmix64_mix(random++) >> 40) * 1e-9;

        clock_fit_add(&f, step * round(b * (1.0 + drift) / step), b);
    }
    assert_true(fabs(clock_fit_drift(&f) - drift) <= 2.0 * clock_fit_drift_error(&f));
    assert_true(clock_fit_drift_error(&f) < 1.2 * 1.96 * sigma * sqrt(12.0 / (length * length * length)));
    assert_true(fabs(clock_fit_deviation(&f) / sigma - 1.0) < 0.1);
}

static void few(void **state)
{
    struct clock_fit f = {.moments = 0};

    (void)state;
    clock_fit_add(&f, 3.0, 1.0);
    assert_true(clock_fit_drift(&f) == 0.0 && clock_fit_drift_error(&f) < 0.0 && clock_fit_map(&f, 2.0) == 4.0);
    clock_fit_add(&f, 3.0, 1.0); /* the same moment again tells nothing */
    assert_true(clock_fit_drift(&f) == 0.0);
    clock_fit_add(&f, 5.0, 2.0);
    assert_true(isfinite(clock_fit_map(&f, 9.0)) && clock_fit_drift_error(&f) >= 0.0);
}

/* ---- streams ---- */

#define SECOND 1000000000 /* clock units of dump_hello() */

/*
 * User events `from`, from + 2, ... at these tenths of seconds, and SYNC each second but `without`; by a clock that
 * is ahead and drifts.
 */
static struct timeline_input input_of(unsigned from, uint64_t without, int64_t ahead, double drift)
{
    struct timeline_input in = {.hz = SECOND, .from = INT64_MIN, .to = INT64_MAX, .path = "made-up"};

    d.length = 0;
    event_run_begin(1);
    for (unsigned n = 0; n < 100; n++) {
        const int64_t time = ahead + (int64_t)round(n * 0.1 * SECOND * (1.0 + drift));

        if (n % 10 == 0 && n / 10 != without)
            event_run_put(time, TRACE_SYNC, n / 10);
        if (n % 2 == from)
            event_run_put(time, TRACE_USER, n);
    }
    event_encoder_end(&event_sender);
    dump_end(&d, 1, 0, "done");
    in.timeline = timeline_of(d.bytes, d.length, 0);
    assert_non_null(in.timeline);
    return in;
}

static void streams(void **state)
{
    struct timeline_input a = input_of(0, 3, 0, 0.0), b = input_of(1, 5, 5 * (int64_t)SECOND, 100 * PPM);
    struct joined_input j;
    struct timeline_item item;
    uint64_t next = 0;

    (void)state;
    assert_true(joined_input_begin(&j, &a, &b));
    assert_int_equal(j.clocks.moments, 8);
    assert_true(fabs(clock_fit_drift(&j.clocks) - (1.0 / (1.0 + 100 * PPM) - 1.0)) < 1e-9);
    for (int which; (which = joined_input_next(&j, &item)) >= 0;) {
        if (item.kind != TIMELINE_EVENT || item.event.class != TRACE_USER)
            continue;
        assert_int_equal(item.event.argument, next);
        assert_int_equal(which, next % 2);
        assert_true(llabs(item.event.time - RUN_BEGIN - (int64_t)(next * SECOND / 10)) <= 2);
        next++;
    }
    assert_int_equal(next, 100);
    timeline_close(a.timeline);
    timeline_close(b.timeline);
}

static void strangers(void **state)
{
    struct timeline_input a = input_of(0, 0, 0, 0.0), b;
    struct joined_input j;

    (void)state;
    d.length = 0;
    event_run(3, 1);
    b = (struct timeline_input){.hz = SECOND, .path = "other", .timeline = timeline_of(d.bytes, d.length, 0)};
    assert_non_null(b.timeline);
    assert_false(joined_input_begin(&j, &a, &b));
    timeline_close(a.timeline);
    timeline_close(b.timeline);
    free(d.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drifts), cmocka_unit_test(rounded), cmocka_unit_test(few), cmocka_unit_test(streams),
        cmocka_unit_test(strangers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
