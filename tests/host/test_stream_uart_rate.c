/* SPDX-License-Identifier: MIT */
/* Bytes that come in without an interrupt, or faster than they are read: what is lost, and the rate that is safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/simulated_uart.h"

/* Bytes without a gap at the line's rate; how many were lost. */
static unsigned overruns(uint64_t baud, enum uart_kind kind, bool rtc)
{
    const unsigned bytes = 4000;
    unsigned heard_all = 0;
    uint8_t byte;

    find(&without_irq, kind, baud);
    rounds = rtc;
    stream_uart_start();
    chip.room = uart_fifo_depth(kind);
    for (unsigned i = 0; i < bytes; i++) {
        comes('x', 0);
        chip.in[i].at = now + (i + 1) * BYTE_BITS * (uint64_t)SECOND / baud;
    }
    while (chip.come < bytes) {
        timer_sleep_until(now + TICK);
        while (stream_uart_read(&byte))
            heard_all += byte == 'x';
    }
    timer_sleep_until(now + SECOND / 10);
    while (stream_uart_read(&byte))
        heard_all += byte == 'x';
    assert_int_equal(heard_all + chip.overruns, bytes);
    assert_int_equal(stream_uart_unread(), 0);
    return chip.overruns;
}

static void test_rates(void **state)
{
    static const uint64_t rates[] = { 1200, 2400, 9600, 19200, 38400, 57600, 115200 };

    (void)state;
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        assert_int_equal(overruns(rates[i], UART_16550A, false), 0);
        assert_true(stream_uart_polling().safe_baud >= rates[i]);
    }
}

/* Where it cannot be read often enough the safe rate is told, and it is safe. */
static void check_safe(enum uart_kind kind, bool rtc)
{
    assert_true(overruns(BAUD, kind, rtc) > 0);
    assert_true(stream_uart_polling().safe_baud < BAUD);
    assert_int_equal(overruns(stream_uart_polling().safe_baud, kind, rtc), 0);
    assert_true(stream_uart_polling().safe_baud >= chip.baud);
}

static void test_safe_rate(void **state)
{
    (void)state;
    check_safe(UART_16550A, true);
    check_safe(UART_16450, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_safe_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
