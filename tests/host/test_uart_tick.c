/* SPDX-License-Identifier: MIT */
/*
 * What an interrupt of a serial line is, and what its watch and its guard do:
 * ticks of a simulated transmitter of two places, late, lost and too many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel/slu/uart_tick_guard.h"
#include "kernel/slu/uart_tick_classify.h"

#define PERIOD 10000u
#define CREEP  2u
#define NONE   UINT64_MAX

static struct uart_tick_line begun(uint64_t now)
{
    struct uart_tick_line l = { .period = PERIOD, .creep = CREEP, .due = 1 };

    uart_tick_line_start(&l, now);
    return l;
}

static uint64_t judged(struct uart_tick_line *l, uint64_t now, bool dry, enum uart_tick_kind verdict)
{
    uint64_t lateness = NONE;

    assert_int_equal(uart_tick_classify(l, now, dry, &lateness), verdict);
    return lateness;
}

/* The first byte's interrupt comes at once and is void; from then on each is a tick. */
static void test_begin(void **state)
{
    struct uart_tick_line l = begun(500);

    (void)state;
    judged(&l, 510, false, UART_TICK_VOID);
    for (unsigned i = 1; i < 100; i++)
        assert_int_equal(judged(&l, 500 + i * PERIOD, false, UART_TICK_DUE), 0);
    judged(&l, 500 + 99 * PERIOD + 10, false, UART_TICK_EARLY); /* none is void without a cause */
}

/* Bytes of another's stood before the first, up to a FIFO of them: void too, and the line begins there. */
static void test_begin_behind(void **state)
{
    for (unsigned before = 3; before <= 16; before++) {
        struct uart_tick_line l = begun(0);
        const uint64_t at = before * PERIOD;

        judged(&l, at, false, UART_TICK_VOID);
        assert_int_equal(judged(&l, at + PERIOD, false, UART_TICK_DUE), 0);
        assert_int_equal(judged(&l, at + 2 * PERIOD, false, UART_TICK_DUE), 0);
        assert_int_equal(l.refuted, 0);
    }
    (void)state;
}

/* A tick that waits does not move the next one, and both are told right. */
static void test_late(void **state)
{
    struct uart_tick_line l = begun(0);

    (void)state;
    judged(&l, 10, false, UART_TICK_VOID);
    assert_int_equal(judged(&l, PERIOD, false, UART_TICK_DUE), 0);
    assert_int_equal(judged(&l, 2 * PERIOD + 9000, false, UART_TICK_DUE), 9000 - CREEP);
    assert_int_equal(judged(&l, 3 * PERIOD, false, UART_TICK_DUE), 0);
    assert_int_equal(judged(&l, 4 * PERIOD, false, UART_TICK_DUE), 0);
}

/* The line ran dry: late by all of it, the next void, and the line begins anew. */
static void test_dry(void **state)
{
    const uint64_t at = 5 * PERIOD + 4321;
    struct uart_tick_line l = begun(0);

    (void)state;
    judged(&l, 10, false, UART_TICK_VOID);
    assert_int_equal(judged(&l, PERIOD, false, UART_TICK_DUE), 0);
    assert_int_equal(judged(&l, at, true, UART_TICK_DUE), at - 2 * PERIOD - CREEP);
    uart_tick_line_start(&l, at + 5);
    judged(&l, at + 30, false, UART_TICK_VOID);
    assert_int_equal(judged(&l, at + PERIOD, false, UART_TICK_DUE), 0);
    /* Silicon may keep the second interrupt back until its byte has passed: that is a tick. */
    assert_int_equal(judged(&l, at + 3 * PERIOD, true, UART_TICK_DUE), PERIOD - CREEP);
    uart_tick_line_start(&l, at + 3 * PERIOD);
    assert_int_equal(judged(&l, at + 4 * PERIOD - 1000, false, UART_TICK_DUE), 0);
    assert_int_equal(judged(&l, at + 5 * PERIOD - 1000, false, UART_TICK_DUE), 0);
}

/* What the UART knows of lateness stands above what the clock says. */
static void test_bounds(void **state)
{
    struct uart_tick_line l = begun(0);

    (void)state;
    judged(&l, 10, false, UART_TICK_VOID);
    assert_int_equal(judged(&l, PERIOD, true, UART_TICK_DUE), PERIOD / UART_TICK_BIT_SHARE);
    l = begun(0);
    assert_int_equal(judged(&l, 2 * PERIOD + 100, false, UART_TICK_DUE), PERIOD);
    assert_int_equal(l.refuted, 0);
    assert_int_equal(judged(&l, 5 * PERIOD, false, UART_TICK_DUE), 0);
    assert_int_equal(l.refuted, 1);
    assert_int_equal(judged(&l, 6 * PERIOD, false, UART_TICK_DUE), 0);
}

/* A measure that is wrong by less than the creep makes no tick late, ever. */
static void test_creep(void **state)
{
    struct uart_tick_line l = begun(0);
    uint64_t now = 0;

    (void)state;
    judged(&l, 10, false, UART_TICK_VOID);
    for (unsigned i = 0; i < 100000; i++) {
        now += PERIOD + 1;
        assert_true(judged(&l, now, false, UART_TICK_DUE) <= 1);
    }
}

/* A tick that waited for the handler of the one before waited for nobody else. */
static void test_left(void **state)
{
    struct uart_tick_line l = begun(0);

    (void)state;
    judged(&l, 10, false, UART_TICK_VOID);
    assert_int_equal(judged(&l, PERIOD, false, UART_TICK_DUE), 0);
    l.left = 2 * PERIOD + 3000;
    assert_int_equal(judged(&l, 2 * PERIOD + 3010, false, UART_TICK_DUE), 10);
}

static void test_storm(void **state)
{
    struct uart_tick_guard g = { .run = 0 };

    (void)state;
    for (unsigned storm = 1; storm <= 3; storm++) {
        for (unsigned i = 1; i < UART_TICK_STORM; i++)
            assert_false(uart_tick_guard_early(&g));
        assert_true(uart_tick_guard_early(&g));
        assert_int_equal(g.storms, storm);
        assert_true(g.masked);
        assert_true(uart_tick_guard_check(&g, 0, PERIOD, PERIOD));
        g.masked = false;
    }
    assert_int_equal(g.early, 3 * UART_TICK_STORM);
    assert_int_equal(g.restarts, 0);
}

/* Lost only where interrupts were let in after it was found overdue. */
static void test_watch(void **state)
{
    struct uart_tick_guard g = { .interrupts = 5 };

    (void)state;
    assert_false(uart_tick_guard_check(&g, 3 * PERIOD, PERIOD, PERIOD)); /* five since the last look */
    assert_false(uart_tick_guard_check(&g, 3 * PERIOD, PERIOD, PERIOD)); /* overdue: perhaps it waits */
    g.interrupts++;
    assert_false(uart_tick_guard_check(&g, 5 * PERIOD, PERIOD, PERIOD)); /* it did */
    assert_false(uart_tick_guard_check(&g, 2 * PERIOD, PERIOD, PERIOD)); /* not overdue by a byte */
    assert_false(uart_tick_guard_check(&g, 4 * PERIOD, PERIOD, PERIOD));
    assert_true(uart_tick_guard_check(&g, 5 * PERIOD, PERIOD, PERIOD));
    assert_int_equal(g.restarts, 1);
    assert_false(uart_tick_guard_check(&g, 6 * PERIOD, PERIOD, PERIOD)); /* again only after two */
}

static void test_missed(void **state)
{
    (void)state;
    assert_int_equal(uart_tick_guard_missed(99, 100, 10), 0);
    assert_int_equal(uart_tick_guard_missed(100, 100, 10), 1);
    assert_int_equal(uart_tick_guard_missed(129, 100, 10), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begin),
        cmocka_unit_test(test_begin_behind),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_dry),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_creep),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_storm),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_missed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
