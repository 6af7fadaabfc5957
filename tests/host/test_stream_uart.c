/* SPDX-License-Identifier: MIT */
/*
 * The stream's line over a simulated UART and clock: bytes with errors, bytes that
 * find no room or come faster than they are read, a line that takes nothing for long
 * and then goes on, and transmit interrupts that are lost.  The interrupt comes while
 * the task sleeps, and only then; the system clock's look comes in its time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/io.h"

/* One thread and its clock: what stands in for the processor's, and for account.h, cpu.h and task.h. */
static uint64_t now;
static uint64_t step; /* that each reading of the clock takes */
#define rdtsc() (now += step)
#define KERNEL_ACCOUNT_EXACT_TIME_H
#define KERNEL_CPU_CPU_H
#define KERNEL_SCHED_TASK_H
static void irq_disable(void) {}
static void irq_enable(void) {}
static void cpu_interrupts_on(void);
static void cpu_interrupts_off(void);
struct task;
static struct task *current;

#include "kernel/io/stream_uart.c"
#include "kernel/io/stream_uart_line.c"
#include "kernel/io/stream_uart_rx.c"

#define QUEUE   (4 * STREAM_UART_RX_RING)
#define SECOND  1000000u /* the clock's unit is a microsecond */
#define TICK    (SECOND / 100)
#define BAUD    115200u
#define TOO_OLD (2 * SECOND + 100000) /* no wait for room is longer */

/* ---- the UART ---- */

static struct {
    struct { uint64_t at; uint8_t byte, errors; } in[QUEUE];
    unsigned put, come, taken; /* of `in`; those that have come are in its FIFO */
    unsigned room;         /* of that FIFO; 0: no end */
    unsigned overruns;
    bool overran;          /* and nobody has read it yet */
    unsigned sent;
    uint64_t stands_until; /* the transmitter does not empty before that */
    bool receives, transmits; /* these interrupts are on */
    bool empty;            /* the transmit interrupt waits: it is asked for by being switched on, and by each byte that goes */
    unsigned loses;        /* so many of those are lost */
    bool dead;             /* the interrupt goes nowhere */
    unsigned vanished;     /* requests that were taken back: the 8259 makes spurious ones of them */
    uint64_t baud;
    enum uart_kind kind;
} chip;

static void make_empty(void)
{
    chip.empty = chip.loses == 0;
    chip.loses -= chip.loses != 0;
}

/* Bytes come at their time; where the FIFO is full they are lost. */
static void let_come(void)
{
    for (; chip.come < chip.put && chip.in[chip.come].at <= now; chip.come++) {
        if (chip.room == 0 || chip.come - chip.taken < chip.room)
            continue;
        for (unsigned i = chip.come; i > chip.taken; i--) /* it is the new one that goes */
            chip.in[i] = chip.in[i - 1];
        chip.taken++;
        chip.overruns++;
        chip.overran = true;
    }
}

void uart_init(const struct uart *u, uint16_t divisor)
{
    (void)u;
    assert_int_equal(divisor, BAUD / chip.baud);
}

bool uart_present(const struct uart *u, uint16_t divisor)
{
    (void)u;
    assert_int_equal(divisor, BAUD / chip.baud);
    return true;
}

enum uart_kind uart_kind(const struct uart *u)
{
    (void)u;
    return chip.kind;
}

const char *uart_kind_name(enum uart_kind kind)
{
    return kind == UART_16550A ? "16550A" : "16450";
}

unsigned uart_fifo_depth(enum uart_kind kind)
{
    return kind == UART_16550A ? UART_FIFO_DEPTH : 1;
}

uint8_t uart_status(const struct uart *u)
{
    uint8_t status = now >= chip.stands_until ? UART_LSR_THRE | UART_LSR_TEMT : 0;

    (void)u;
    let_come();
    if (chip.taken != chip.come)
        status |= UART_LSR_DR | chip.in[chip.taken].errors;
    if (chip.overran)
        status |= UART_LSR_OE;
    chip.overran = false;
    if (chip.taken != chip.come)
        chip.in[chip.taken].errors = 0;
    return status;
}

bool uart_tx_ready(const struct uart *u)
{
    return uart_status(u) & UART_LSR_THRE;
}

static uint8_t cause(void);

void uart_interrupts(const struct uart *u, bool receive, bool transmit)
{
    const bool asks = cause() != UART_IIR_NONE;

    (void)u;
    if (transmit && !chip.transmits)
        make_empty();
    chip.receives = receive;
    chip.transmits = transmit;
    chip.vanished += asks && cause() == UART_IIR_NONE;
}

void uart_transmit_interrupt(const struct uart *u, bool on)
{
    uart_interrupts(u, false, on);
}

bool uart_send(const struct uart *u, uint8_t byte)
{
    (void)byte;
    chip.sent++;
    return uart_tx_ready(u);
}

bool uart_wait_empty(const struct uart *u)
{
    return uart_tx_ready(u);
}

void uart_write(const struct uart *u, uint8_t byte)
{
    (void)u;
    (void)byte;
    chip.sent++;
    make_empty();
}

bool uart_receive(const struct uart *u, uint8_t *byte, uint8_t *status)
{
    *status = uart_status(u);
    if (!(*status & UART_LSR_DR))
        return false;
    *byte = chip.in[chip.taken++].byte;
    return true;
}

static uint8_t cause(void)
{
    let_come();
    if (chip.dead)
        return UART_IIR_NONE;
    if (chip.receives && chip.taken != chip.come)
        return UART_IIR_RDI;
    return chip.transmits && chip.empty && now >= chip.stands_until ? UART_IIR_THRI : UART_IIR_NONE;
}

uint8_t uart_interrupt_cause(const struct uart *u)
{
    const uint8_t is = cause();

    (void)u;
    if (is == UART_IIR_THRI)
        chip.empty = false;
    return is;
}

/* ---- the kernel below ---- */

static bool unmasked;               /* at the 8259 */
static void (*attendant)(void);
static uint64_t attend_every, attend_next;
static bool rounds;                 /* the clock is the RTC */

static void interrupt(void)
{
    while (unmasked && cause() != UART_IIR_NONE)
        stream_uart_interrupt();
}

/* Whoever waits with interrupts on looks at the clock meanwhile. */
static void cpu_interrupts_on(void)
{
    interrupt();
    step = 1;
}

static void cpu_interrupts_off(void)
{
    step = 0;
}

void irq_register(unsigned vector, irq_handler *handler)
{
    (void)vector;
    (void)handler;
}

void pic_eoi(unsigned irq)
{
    (void)irq;
}

void pic_unmask(unsigned irq)
{
    (void)irq;
    unmasked = true;
}

void pic_mask(unsigned irq)
{
    (void)irq;
    unmasked = false;
}

uint64_t timer_us_to_clocks(uint64_t microseconds)
{
    return microseconds;
}

bool timer_is_periodic(void)
{
    return rounds;
}

uint32_t timer_hz(void)
{
    return rounds ? 128 : SECOND / TICK;
}

void timer_set_poll(void (*look)(void), uint64_t every)
{
    attendant = look;
    attend_every = every;
    if (every == 0 || rounds)
        attend_every = SECOND / timer_hz();
    attend_next = now + attend_every;
}

void timer_wake(struct task *t)
{
    (void)t;
}

void timer_sleep_until(uint64_t wake)
{
    interrupt();
    while (now < wake) {
        now++;
        interrupt();
        if (now >= attend_next) {
            attend_next += attend_every;
            attendant();
        }
    }
}

void timer_sleep_unless(uint64_t wake, bool (*over)(void))
{
    if (!over())
        timer_sleep_until(wake);
}

/* ---- the tests ---- */

static const struct serial_device by_irq = { .irq = 4, .name = "COM1" };
static const struct serial_device without_irq = { .irq = NO_IRQ, .name = "COM1" };

/* A line that is found; `kind` and `baud` of it are set. */
static void find(const struct serial_device *device, enum uart_kind kind, uint64_t baud)
{
    const struct serial_spec line = { .baud = baud };

    memset(&chip, 0, sizeof chip);
    chip.kind = kind;
    chip.baud = baud;
    memset(&errors, 0, sizeof errors);
    memset(&watch, 0, sizeof watch);
    memset(&test, 0, sizeof test);
    head = tail = heard_put = heard_taken = 0;
    unread = dropped = 0;
    gap = sending = lent = in_vain = unmasked = rounds = false;
    service = BY_WRITER;
    attend_next = UINT64_MAX;
    now = SECOND;
    assert_true(stream_uart_init(device, &line));
}

static void begin(const struct serial_device *device)
{
    find(device, UART_16550A, BAUD);
    stream_uart_start();
}

static void comes(uint8_t byte, uint8_t what)
{
    assert_true(chip.put < QUEUE);
    chip.in[chip.put].at = now;
    chip.in[chip.put].byte = byte;
    chip.in[chip.put++].errors = what;
}

static void assert_taken(const char *bytes)
{
    uint8_t byte;

    timer_sleep_until(now);
    for (; *bytes != '\0'; bytes++) {
        assert_true(stream_uart_read(&byte));
        assert_int_equal(byte, *bytes);
    }
    assert_false(stream_uart_read(&byte));
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

/* ---- interrupts that are lost ---- */

#define LENGTH 1000u

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

/* ---- bytes that come in without an interrupt ---- */

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
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_patience_without_interrupt),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_all_lost),
        cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_peeked),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_lend),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_safe_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
