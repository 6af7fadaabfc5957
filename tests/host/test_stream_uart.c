/* SPDX-License-Identifier: MIT */
/*
 * The stream's line: bytes with errors, bytes that find no room, a line that takes nothing for long
 * and then goes on, and a line that is lent to a tick source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/simulated_uart.h"

/* Of a byte with an error only its place is kept; each kind has its count. */
static void test_errors(void **state)
{
    (void)state;
    begin(&by_irq);
    comes('a', 0);
    comes('b', UART_LSR_PE);
    comes('c', UART_LSR_FE);
    comes(0, UART_LSR_BI | UART_LSR_FE);
    comes('d', 0);
    comes('e', UART_LSR_OE); /* whole, but not the one behind `d` */
    comes('f', 0);
    assert_taken("a\x1a\x1a\x1a" "d\x1a" "ef");
    assert_int_equal(stream_uart_errors().parity, 1);
    assert_int_equal(stream_uart_errors().framing, 1);
    assert_int_equal(stream_uart_errors().breaks, 1);
    assert_int_equal(stream_uart_errors().overrun, 1);
    assert_int_equal(stream_uart_unread(), 0);
}

/* What finds no room is counted, and what follows does not stand as if nothing were missing. */
static void test_room(void **state)
{
    const unsigned more = 100;
    uint8_t byte;

    (void)state;
    begin(&by_irq);
    for (unsigned i = 0; i < STREAM_UART_RX_RING + more; i++)
        comes('x', 0);
    timer_sleep_until(now);
    assert_int_equal(stream_uart_unread(), STREAM_UART_RX_RING + more);
    for (unsigned i = 0; i < STREAM_UART_RX_RING; i++) {
        assert_true(stream_uart_read(&byte));
        assert_int_equal(byte, 'x');
    }
    assert_int_equal(stream_uart_unread(), more);
    comes('y', 0);
    assert_taken("\x1ay");
}

/* Write until something is refused; how long that took. */
static uint64_t fill(void)
{
    static const uint8_t bytes[1000];
    uint64_t before;
    bool put;

    do {
        before = now;
        put = stream_uart_write_wait(bytes, sizeof bytes);
    } while (put);
    return now - before;
}

/* A line that stands is waited for once; when it goes on, each wait is a wait again. */
static void check_patience(const struct serial_device *device)
{
    static const uint8_t bytes[1000];
    uint64_t waited;

    begin(device);
    chip.stands_until = UINT64_MAX;
    waited = fill();
    assert_true(waited > 0 && waited <= TOO_OLD);
    assert_int_equal(fill(), 0); /* the next one is not waited for */
    assert_int_equal(fill(), 0);
    chip.stands_until = now;
    timer_sleep_until(now + TICK);
    assert_true(stream_uart_write_wait(bytes, sizeof bytes));
    timer_sleep_until(now + SECOND);
    chip.stands_until = now + SECOND / 20; /* it stands for a moment: no byte is lost for that */
    for (unsigned i = 0; i <= STREAM_UART_TX_RING / sizeof bytes; i++)
        assert_true(stream_uart_write_wait(bytes, sizeof bytes));
    assert_true(now >= chip.stands_until);
    chip.stands_until = UINT64_MAX;
    assert_int_equal(fill(), waited); /* and as patient as at first */
}

static void test_patience(void **state)
{
    (void)state;
    check_patience(&by_irq);
}

static void test_patience_without_interrupt(void **state)
{
    (void)state;
    check_patience(&without_irq);
}

/* ---- a line that is lent ---- */

/* Requests that are pending are let in, not taken back; they send nothing more. */
static void test_lend(void **state)
{
    static const uint8_t bytes[LENGTH] = { 'a' };

    (void)state;
    for (unsigned received = 0; received < 2; received++) {
        begin(&by_irq);
        assert_true(stream_uart_write(bytes, sizeof bytes));
        if (received)
            comes('x', 0);
        assert_int_equal(cause(), received ? UART_IIR_RDI : UART_IIR_THRI);
        stream_uart_lend();
        assert_int_equal(chip.vanished, 0);
        assert_false(chip.transmits || chip.receives);
        assert_int_equal(chip.sent, 0);
        assert_taken(received ? "x" : "");
        assert_int_equal(stream_uart_lent_next(), 'a');
        stream_uart_reclaim();
        timer_sleep_until(now + SECOND);
        assert_int_equal(chip.sent, LENGTH - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_patience_without_interrupt),
        cmocka_unit_test(test_lend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
