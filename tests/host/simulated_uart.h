/* SPDX-License-Identifier: MIT */
/*
 * The stream's line (kernel/io/stream_uart*.c) over a simulated UART and clock.  The interrupt comes
 * while the task sleeps, and only then; the system clock's look comes in its time.  Behind cmocka.h.
 */
#pragma once

#include "drivers/io.h"

/* One thread and its clock: what stands in for the processor's, and for account.h, cpu.h and task.h. */
static uint64_t now;
static uint64_t step; /* that each reading of the clock takes */
#define rdtsc() (now += step)
/* A task of the host may not switch interrupts: calls of these go to the functions below. */
#include "kernel/account/exact_time.h"
#include "kernel/sched/task.h"
#define irq_disable()        simulated_irq_disable()
#define irq_enable()         simulated_irq_enable()
#define cpu_interrupts_on()  simulated_interrupts_on()
#define cpu_interrupts_off() simulated_interrupts_off()
static void simulated_irq_disable(void) {}
static void simulated_irq_enable(void) {}
static void simulated_interrupts_on(void);
static void simulated_interrupts_off(void);
struct task *current;

#include "kernel/io/stream_uart.c"
#include "kernel/io/stream_uart_line.c"
#include "kernel/io/stream_uart_rx.c"

#define QUEUE   (4 * STREAM_UART_RX_RING)
#define SECOND  1000000u /* the clock's unit is a microsecond */
#define TICK    (SECOND / 100)
#define BAUD    115200u
#define LENGTH  1000u /* bytes that are written in one piece */
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
    /* the transmit interrupt waits: it is asked for by being switched on, and by each byte that goes */
    bool empty;
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

bool uart_idles(const struct uart *u)
{
    return uart_present(u, BAUD / (unsigned)chip.baud);
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
static void simulated_interrupts_on(void)
{
    interrupt();
    step = 1;
}

static void simulated_interrupts_off(void)
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
/* ---- a line that is tested ---- */

static const struct serial_device by_irq = { .irq = 4, .name = "COM1" };
static const struct serial_device without_irq = { .irq = NO_IRQ, .name = "COM1" };

/* A line that is found; `kind` and `baud` of it are set. */
static inline void find(const struct serial_device *device, enum uart_kind kind, uint64_t baud)
{
    const struct serial_spec line = { .baud = baud, .clock = SERIAL_CLOCK };

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

static inline void begin(const struct serial_device *device)
{
    find(device, UART_16550A, BAUD);
    stream_uart_start();
}

static inline void comes(uint8_t byte, uint8_t what)
{
    assert_true(chip.put < QUEUE);
    chip.in[chip.put].at = now;
    chip.in[chip.put].byte = byte;
    chip.in[chip.put++].errors = what;
}

static inline void assert_taken(const char *bytes)
{
    uint8_t byte;

    timer_sleep_until(now);
    for (; *bytes != '\0'; bytes++) {
        assert_true(stream_uart_read(&byte));
        assert_int_equal(byte, *bytes);
    }
    assert_false(stream_uart_read(&byte));
}
