/* SPDX-License-Identifier: MIT */
/*
 * Paced or not: the judgement over a register file in memory, whose transmitter
 * is moved on each time the clock is read.
 */
#include "uart/tx_timing.c"
#include "uart/uart16550.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STRIDE    4u
#define CHARACTER 1000u
#define TICK      7u   /* the clock at each reading */
#define UNTOUCHED 0xee /* in THR: nothing was written since */

/* A transmitter of two places. */
static struct {
    uint8_t byte[8 * STRIDE];
    struct uart uart;
    uint64_t now, time; /* of a byte on the line */
    uint64_t until;     /* the shift register is busy */
    bool waits;         /* a byte in the other place */
    unsigned sent;
    uint64_t faster;    /* time of the bytes after the second; 0: alike */
} line;

static uint8_t *reg(unsigned number)
{
    return &line.byte[number * STRIDE];
}

static void shift_in(uint64_t at)
{
    line.sent++;
    line.until = at + (line.faster != 0 && line.sent > 1 ? line.faster : line.time);
    line.waits = false;
}

static uint64_t clock_of_line(void)
{
    line.now += TICK;
    if (*reg(UART_THR) != UNTOUCHED) {
        *reg(UART_THR) = UNTOUCHED;
        line.waits = true;
    }
    if (line.waits && line.now >= line.until)
        shift_in(line.until > line.now - TICK ? line.until : line.now);
    *reg(UART_LSR) = (uint8_t)((line.waits ? 0 : UART_LSR_THRE) |
                               (line.waits || line.now < line.until ? 0 : UART_LSR_TEMT));
    return line.now;
}

static void make(uint64_t time)
{
    memset(&line, 0, sizeof line);
    line.uart = (struct uart){ .base = (uintptr_t)line.byte, .stride = STRIDE, .width = 1, .access = UART_MEMORY };
    line.time = time;
    *reg(UART_THR) = UNTOUCHED;
}

static enum uart_pace pace(uint64_t took[2])
{
    return uart_pace(&line.uart, clock_of_line, CHARACTER, took);
}

static void test_judged(void **state)
{
    static const struct {
        uint64_t time;
        enum uart_pace pace;
    } rows[] = {
        { CHARACTER, UART_PACED }, { 800, UART_PACED }, { 1450, UART_PACED },
        { 0, UART_UNPACED }, { 40, UART_UNPACED },
        { 300, UART_UNEVEN }, { 700, UART_UNEVEN }, { 1600, UART_UNEVEN },
    };
    uint64_t took[2];

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make(rows[i].time);
        assert_int_equal(pace(took), rows[i].pace);
        assert_int_equal(line.sent, 3);
        for (int byte = 0; byte < 2; byte++)
            assert_true(took[byte] + 4 * TICK >= rows[i].time && took[byte] <= rows[i].time + 4 * TICK);
    }
}

/* A byte that was being sent when it began does not count. */
static void test_busy(void **state)
{
    uint64_t took[2];

    (void)state;
    make(CHARACTER);
    line.until = 5 * CHARACTER;
    assert_int_equal(pace(took), UART_PACED);
    assert_true(line.now > 7 * CHARACTER);
}

static void test_uneven(void **state)
{
    uint64_t took[2];

    (void)state;
    make(CHARACTER);
    line.faster = 20; /* the second byte lies in time behind the first, the third does not */
    assert_int_equal(pace(took), UART_UNEVEN);
    assert_true(took[0] > took[1]);
}

/* Never empty, never free, and a clock that stands: each comes back. */
static void test_stuck(void **state)
{
    uint64_t took[2] = { 1, 1 };

    (void)state;
    make(CHARACTER);
    line.until = 100 * CHARACTER;
    assert_int_equal(pace(took), UART_STUCK);
    assert_int_equal(line.sent, 0);
    assert_int_equal(took[0] + took[1], 0);
    make(40 * CHARACTER);
    assert_int_equal(pace(took), UART_STUCK);
}

static uint64_t clock_that_stands(void)
{
    return 5;
}

static void test_clock_stands(void **state)
{
    uint64_t took[2];

    (void)state;
    make(CHARACTER);
    assert_int_equal(uart_pace(&line.uart, clock_that_stands, CHARACTER, took), UART_STUCK);
    *reg(UART_LSR) = UART_LSR_THRE | UART_LSR_TEMT;
    assert_int_equal(uart_pace(&line.uart, clock_that_stands, CHARACTER, took), UART_UNPACED);
}

static void test_thousandths(void **state)
{
    (void)state;
    assert_int_equal(uart_thousandths(0, CHARACTER), 0);
    assert_int_equal(uart_thousandths(1, 2000), 1); /* rounded */
    assert_int_equal(uart_thousandths(CHARACTER, CHARACTER), 1000);
    assert_int_equal(uart_thousandths(UINT64_MAX, CHARACTER), 999999);
}

/* So many characters take so long, within the two looks at each end; and where nothing is sent, nothing is told. */
static void test_bytes(void **state)
{
    static const uint64_t times[] = { CHARACTER, 990, 1011 };
    uint64_t bound[2];

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        make(times[i]);
        uart_time_bytes(&line.uart, clock_of_line, CHARACTER, ' ', 64, bound);
        assert_true(bound[0] <= 64 * times[i] && 64 * times[i] <= bound[1]);
        assert_true(bound[1] - bound[0] <= 4 * TICK);
    }
    make(0);
    uart_time_bytes(&line.uart, clock_of_line, CHARACTER, 0, 64, bound);
    assert_true(bound[1] < 64 * CHARACTER / 2);
    make(100 * CHARACTER);
    uart_time_bytes(&line.uart, clock_of_line, CHARACTER, 0, 64, bound);
    assert_true(bound[0] == 0 && bound[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_judged),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_clock_stands),
        cmocka_unit_test(test_thousandths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
