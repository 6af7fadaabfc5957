/* SPDX-License-Identifier: MIT */
/* The queueing model of made-up runs: what is measured, by hand; what must be predicted exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/trace/event_class.h"
#include "tests/host/near.h"
#include "tools/trace/run_model.h"
#include "tools/trace/waits.h"

#define A    100u
#define B    101u
#define HZ   1000.0 /* times below are in ms */
#define DISK 1u

static struct waits waits;
static uint32_t running;

static void put(int64_t time, enum trace_class class, uint64_t argument)
{
    const struct timeline_item item = {
        .kind = TIMELINE_EVENT,
        .event = {.time = time, .class = class, .task = running, .argument = argument,
                  .known = KNOWN_TASK | KNOWN_TIME},
    };

    waits_take(&waits, &item);
    if (class == TRACE_SWITCH)
        running = trace_task_row(argument);
}

static void begin(uint32_t first)
{
    waits_begin(&waits);
    running = first;
}

static void sleep_of(int64_t time, uint32_t task)
{
    put(time, TRACE_SLEEP, trace_task(task, 0));
    put(time, TRACE_SWITCH, trace_task(ROW_IDLE, 0));
}

static void wake_of(int64_t time, uint32_t task)
{
    put(time, TRACE_WAKE, trace_task(task, 0));
    put(time, TRACE_SWITCH, trace_task(task, 0));
}

/* One task: it computes for 2 ms, waits for the disk for 3 ms, computes for 1 ms, and thinks for 4 ms. */
static void alone(unsigned cycles)
{
    begin(ROW_IDLE);
    for (unsigned i = 0; i < cycles; i++) {
        const int64_t at = 10 * i;

        wake_of(at, A);
        put(at + 2, TRACE_IO_START, DISK | i << 8);
        sleep_of(at + 2, A);
        put(at + 5, TRACE_IO_END, DISK | i << 8);
        wake_of(at + 5, A);
        sleep_of(at + 6, A);
    }
    wake_of(10 * (int64_t)cycles, A);
    waits_finish(&waits);
}

static void one_task(void **state)
{
    struct run_model m;

    (void)state;
    alone(100);
    assert_int_equal(waits.row[0].requests + waits.row[1].requests, 100);
    assert_int_equal(waits.unowned, 0);
    assert_true(run_model_make(&m, &waits, HZ));
    assert_int_equal(m.customers, 1);
    assert_int_equal(m.customer[0].id, A);
    assert_int_equal(m.customer[0].cycle, CYCLE_THINK);
    assert_int_equal(m.class[0].population, 1);
    check_near(m.customer[0].cycles, 101, 0);
    check_near(m.class[0].at[STATION_DISK].service, 0.003, 1e-12);
    check_near(m.class[0].at[STATION_DISK].residual, 0.0015, 1e-12);
    check_near(m.class[0].at[STATION_DISK].visits, 100.0 / 101.0, 1e-12);
    check_near(m.class[0].at[STATION_CPU].residual, (4.0 + 1.0) / 3.0 / 2.0 / 1000.0, 1e-12);
    assert_true(run_model_solve(&m));
    assert_true(m.exact);
    /* Nobody else is there: it waits for nothing, so that the prediction is the measurement. */
    check_near(m.customer[0].measured.response, 0.600 / 101.0, 1e-12);
    check_near(m.customer[0].predicted.response, m.customer[0].measured.response, 1e-12);
    check_near(m.customer[0].predicted.throughput, m.customer[0].measured.throughput, 1e-9);
    check_near(run_model_use(&m, STATION_DISK, false), 0.3, 1e-12);
    check_near(run_model_use(&m, STATION_CPU, true), 0.3, 1e-9);
    run_model_free(&m);
    waits_free(&waits);
}

/* Two tasks that only compute, a quantum each: the processor is shared, and each gets half of it. */
static void two_hogs(void **state)
{
    struct run_model m;

    (void)state;
    begin(A);
    for (int64_t i = 0; i <= 100; i++) {
        put(10 * i, TRACE_READY, trace_task(running, 0));
        put(10 * i, TRACE_SWITCH, trace_task(i % 2 ? A : B, 0));
    }
    waits_finish(&waits);
    assert_true(run_model_make(&m, &waits, HZ));
    assert_int_equal(m.customers, 2);
    assert_int_equal(m.customer[0].cycle, CYCLE_RUN);
    assert_int_equal(m.model.discipline[STATION_CPU], QUEUEING_SHARED);
    assert_true(run_model_solve(&m));
    check_near(run_model_use(&m, STATION_CPU, true), 1.0, 1e-9);
    check_near(m.customer[0].predicted.queue[STATION_CPU], 1.0, 1e-9);
    for (unsigned k = 0; k < 2; k++)
        check_near(m.customer[k].predicted.throughput * m.class[k].at[STATION_CPU].service, 0.5, 0.01);
    m.class[0].population = 3; /* what if there were three of the first: it has three quarters */
    assert_true(run_model_solve(&m));
    check_near(m.customer[0].predicted.throughput * m.class[0].at[STATION_CPU].service, 0.75, 0.01);
    run_model_free(&m);
    waits_free(&waits);
}

/* Requests that nobody waits for, and a device's end without its begin, are nobody's. */
static void not_owned(void **state)
{
    (void)state;
    begin(A);
    put(0, TRACE_IO_END, DISK);
    put(0, TRACE_WAKE, trace_task(B, 0));
    put(1, TRACE_IO_START, DISK | 1u << 8);
    put(2, TRACE_IO_END, DISK | 1u << 8);
    put(2, TRACE_IRQ_EXIT, 0x20);
    put(3, TRACE_WAKE, trace_task(B, 0));
    waits_finish(&waits);
    assert_int_equal(waits.unowned, 1);
    for (size_t r = 0; r < waits.rows; r++)
        assert_int_equal(waits.row[r].requests, 0);
    waits_free(&waits);
}

static void nothing(void **state)
{
    struct run_model m;

    (void)state;
    waits_begin(&waits);
    waits_finish(&waits);
    assert_false(run_model_make(&m, &waits, HZ));
    run_model_free(&m);
    waits_free(&waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_task), cmocka_unit_test(two_hogs), cmocka_unit_test(not_owned),
        cmocka_unit_test(nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
