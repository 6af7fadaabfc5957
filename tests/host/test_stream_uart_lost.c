/* SPDX-License-Identifier: MIT */
/* The stream's line where transmit interrupts are lost, and the proof at the start that they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/simulated_uart.h"

/* Write LENGTH bytes, `lost` interrupts being lost at first, and give it a second; how long they took. */
static uint64_t write_with_losses(unsigned lost)
{
    static const uint8_t bytes[LENGTH];
    uint64_t before, took;

    begin(&by_irq);
    before = now;
    chip.loses = lost;
    assert_true(stream_uart_write(bytes, sizeof bytes));
    while (chip.sent < LENGTH && now - before < SECOND)
        timer_sleep_until(now + 1000);
    took = now - before;
    assert_int_equal(chip.sent, LENGTH);
    return took;
}

/* One lost interrupt stops nothing; as many as are asked for anew neither, one more is served by the clock. */
static void test_lost(void **state)
{
    (void)state;
    write_with_losses(0);
    assert_int_equal(stream_uart_lost_irqs().kicked, 0);
    for (unsigned lost = 1; lost <= TX_KICKS; lost++) {
        assert_true(write_with_losses(lost) <= 2 * (lost + 1) * TICK);
        assert_int_equal(stream_uart_lost_irqs().kicked, lost);
        assert_false(stream_uart_lost_irqs().given_up);
    }
}

static void test_all_lost(void **state)
{
    (void)state;
    write_with_losses(UINT32_MAX);
    assert_int_equal(stream_uart_lost_irqs().kicked, TX_KICKS);
    assert_true(stream_uart_lost_irqs().given_up);
    assert_false(chip.transmits || chip.receives || unmasked);
    for (const char *c = "heard"; *c != '\0'; c++)
        comes((uint8_t)*c, 0);
    timer_sleep_until(now + TICK);
    assert_taken("heard");
}

/* Late is not lost: interrupts were off over a tick of the clock, and are let in before the next. */
static void test_held_back(void **state)
{
    static const uint8_t bytes[LENGTH];

    (void)state;
    begin(&by_irq);
    for (unsigned i = 0; i < 10; i++) {
        assert_true(stream_uart_write(bytes, sizeof bytes));
        attendant();
        interrupt();
        attendant();
    }
    assert_int_equal(chip.sent, 10 * LENGTH);
    assert_int_equal(stream_uart_lost_irqs().kicked, 0);
}

/* What is wrong with a byte is told once, and the watch may read it first; the byte is left to its interrupt. */
static void test_peeked(void **state)
{
    (void)state;
    begin(&by_irq);
    assert_true(stream_uart_write((const uint8_t *)"x", 1));
    comes('a', UART_LSR_PE);
    attendant();
    assert_int_equal(stream_uart_unread(), 0);
    comes('b', 0);
    assert_taken("\x1a" "b");
    assert_int_equal(stream_uart_errors().parity, 1);
}

/* A line that stands by itself has lost nothing. */
static void test_standing(void **state)
{
    static const uint8_t bytes[LENGTH];

    (void)state;
    begin(&by_irq);
    chip.stands_until = now + SECOND;
    assert_true(stream_uart_write(bytes, sizeof bytes));
    timer_sleep_until(now + 2 * SECOND);
    assert_int_equal(chip.sent, LENGTH);
    assert_int_equal(stream_uart_lost_irqs().kicked, 0);
}

/* The interrupt is counted at the start, and no byte is sent for it. */
static void check_proof(const struct serial_device *device, bool dead, unsigned loses, unsigned came)
{
    static const uint8_t bytes[LENGTH];
    const bool known = device->irq != NO_IRQ;

    find(device, UART_16550A, BAUD);
    chip.dead = dead;
    chip.loses = loses;
    stream_uart_test_irq(SECOND);
    assert_int_equal(chip.sent, 0);
    assert_int_equal(stream_uart_irq_test().shots, known ? SHOTS : 0);
    assert_int_equal(stream_uart_irq_test().came, came);
    assert_true(now < SECOND + SECOND / 10);
    assert_false(chip.transmits || chip.receives || unmasked);
    stream_uart_start();
    assert_int_equal(unmasked, came == SHOTS);
    assert_int_equal(stream_uart_irq(), came == SHOTS ? device->irq : NO_IRQ);
    assert_true(stream_uart_write_wait(bytes, sizeof bytes));
    timer_sleep_until(now + SECOND);
    assert_int_equal(chip.sent, LENGTH);
    assert_int_equal(stream_uart_lost_irqs().kicked, 0);
}

static void test_proof(void **state)
{
    (void)state;
    check_proof(&by_irq, false, 0, SHOTS);
    check_proof(&by_irq, true, 0, 0);
    check_proof(&by_irq, false, 1, 0);
    check_proof(&without_irq, true, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_all_lost),
        cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_peeked),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_proof),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
