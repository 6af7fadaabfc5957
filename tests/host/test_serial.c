/* SPDX-License-Identifier: MIT */
/*
 * The stream's line over a simulated UART and clock: bytes with errors, bytes that
 * find no room, and a line that takes nothing for long and then goes on.  The
 * interrupt comes while the task sleeps, and only then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/io.h"

/* One thread and its clock: what stands in for the processor's, and for account.h and task.h. */
static uint64_t now;
#define rdtsc() now
#define KERNEL_ACCOUNT_H
#define KERNEL_TASK_H
static void masked_begin(void) {}
static void masked_end(void) {}
struct task;
static struct task *current;

#include "kernel/serial.c"

#define QUEUE   (4 * SERIAL_HEARD)
#define SECOND  1000000u /* the clock's unit is a microsecond */
#define BAUD    115200u
#define TOO_OLD (2 * SECOND + 100000) /* no wait for room is longer */

/* ---- the UART ---- */

static struct {
    struct { uint8_t byte, errors; } in[QUEUE];
    unsigned put, taken;   /* of `in` */
    unsigned sent;
    uint64_t stands_until; /* the transmitter does not empty before that */
    bool transmits;        /* its interrupt is on */
} chip;

void uart_init(const struct uart *u, uint16_t divisor)
{
    (void)u;
    assert_int_equal(divisor, 1);
}

bool uart_present(const struct uart *u, uint16_t divisor)
{
    (void)u;
    assert_int_equal(divisor, 1);
    return true;
}

enum uart_kind uart_kind(const struct uart *u)
{
    (void)u;
    return UART_16550A;
}

const char *uart_kind_name(enum uart_kind kind)
{
    return kind == UART_16550A ? "16550A" : "";
}

unsigned uart_depth(enum uart_kind kind)
{
    (void)kind;
    return UART_FIFO_DEPTH;
}

void uart_interrupts(const struct uart *u, bool receive, bool transmit)
{
    (void)u;
    (void)receive;
    chip.transmits = transmit;
}

void uart_transmit_interrupt(const struct uart *u, bool on)
{
    (void)u;
    chip.transmits = on;
}

uint8_t uart_status(const struct uart *u)
{
    (void)u;
    return now >= chip.stands_until ? UART_LSR_THRE | UART_LSR_TEMT : 0;
}

bool uart_send(const struct uart *u, uint8_t byte)
{
    (void)byte;
    chip.sent++;
    return uart_status(u) != 0;
}

bool uart_drained(const struct uart *u)
{
    return uart_status(u) != 0;
}

void uart_put(const struct uart *u, uint8_t byte)
{
    (void)u;
    (void)byte;
    chip.sent++;
}

bool uart_take(const struct uart *u, uint8_t *byte, uint8_t *status)
{
    *status = uart_status(u);
    if (chip.taken == chip.put)
        return false;
    *byte = chip.in[chip.taken].byte;
    *status |= chip.in[chip.taken++].errors;
    return true;
}

uint8_t uart_cause(const struct uart *u)
{
    if (chip.taken != chip.put)
        return UART_IIR_RDI;
    return chip.transmits && uart_status(u) != 0 ? UART_IIR_THRI : UART_IIR_NONE;
}

/* ---- the kernel below ---- */

void pic_unmask(unsigned irq)
{
    (void)irq;
}

uint64_t timer_clocks(uint64_t microseconds)
{
    return microseconds;
}

void timer_rouse(struct task *t)
{
    (void)t;
}

void timer_sleep_until(uint64_t wake)
{
    now = wake > now ? wake : now;
    while (uart_cause(&at.uart) != UART_IIR_NONE)
        serial_interrupt();
}

void timer_sleep_unless(uint64_t wake, bool (*over)(void))
{
    if (!over())
        timer_sleep_until(wake);
}

/* ---- the tests ---- */

static const struct serial_device by_irq = { .irq = 4, .name = "COM1" };
static const struct serial_device without_irq = { .irq = NO_IRQ, .name = "COM1" };

static void begin(const struct serial_device *device)
{
    const struct serial_line line = { .baud = BAUD };

    memset(&chip, 0, sizeof chip);
    memset(&errors, 0, sizeof errors);
    head = tail = heard_put = heard_taken = 0;
    unread = dropped = 0;
    gap = sending = lent = in_vain = by_interrupt = by_sleeping = false;
    now = SECOND;
    assert_true(serial_init(device, &line));
    serial_start();
}

static void comes(uint8_t byte, uint8_t what)
{
    assert_true(chip.put < QUEUE);
    chip.in[chip.put].byte = byte;
    chip.in[chip.put++].errors = what;
}

static void assert_taken(const char *bytes)
{
    uint8_t byte;

    timer_sleep_until(now);
    for (; *bytes != '\0'; bytes++) {
        assert_true(serial_take(&byte));
        assert_int_equal(byte, *bytes);
    }
    assert_false(serial_take(&byte));
}

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
    assert_int_equal(serial_errors().parity, 1);
    assert_int_equal(serial_errors().framing, 1);
    assert_int_equal(serial_errors().breaks, 1);
    assert_int_equal(serial_errors().overrun, 1);
    assert_int_equal(serial_unread(), 0);
}

/* What finds no room is counted, and what follows does not stand as if nothing were missing. */
static void test_room(void **state)
{
    const unsigned more = 100;
    uint8_t byte;

    (void)state;
    begin(&by_irq);
    for (unsigned i = 0; i < SERIAL_HEARD + more; i++)
        comes('x', 0);
    timer_sleep_until(now);
    assert_int_equal(serial_unread(), SERIAL_HEARD + more);
    for (unsigned i = 0; i < SERIAL_HEARD; i++) {
        assert_true(serial_take(&byte));
        assert_int_equal(byte, 'x');
    }
    assert_int_equal(serial_unread(), more);
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
        put = serial_write_patiently(bytes, sizeof bytes);
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
    timer_sleep_until(now);
    assert_true(serial_write_patiently(bytes, sizeof bytes));
    timer_sleep_until(now + SECOND);
    chip.stands_until = now + SECOND / 20; /* it stands for a moment: no byte is lost for that */
    for (unsigned i = 0; i <= SERIAL_RING / sizeof bytes; i++)
        assert_true(serial_write_patiently(bytes, sizeof bytes));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_patience_without_interrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
