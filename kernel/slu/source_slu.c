/* SPDX-License-Identifier: MIT */
/*
 * The paper's serial line unit as tick source: each transmitter-empty interrupt is a tick and
 * sends one byte, so that the line is the clock.  On a port of its own the bytes are zeros; on
 * the stream's port they are the stream, or zeros while there is none.  The FIFO is on, and
 * each tick sends one byte: one is being shifted out and one waits, so that a tick may be
 * almost a byte late without delaying the next one.
 *
 * kernel/slu/uart_tick_classify.h computes the lateness.  What exceeds the floor is late and goes
 * to row MASKED.  A tick that is later than a byte finds the line idle: the ticks that are
 * missing then are counted as overruns.
 *
 * With delivery=nmi only the handler uses the UART's ports, except while `ports_taken`: from
 * the last tick of a window to the first one of the next, and while poll() restarts a lost tick.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/sched.h"
#include "kernel/slu/uart_tick.h"
#include "kernel/slu/uart_tick_classify.h"
#include "kernel/source/tick_record.h"
#include "uart/tx_timing.h"
#include "uart/uart_regs.h"

#define CREEP_SHIFT 15 /* 31 millionths */
#define LONGEST     4u /* characters' time that each interrupt is waited for at the start */

static struct probe *owner;    /* whose ticks they are; interrupts off */
static struct uart_tick port;         /* set by detect(), and its delivery by stop() */
static struct uart_tick_line line;   /* interrupts off */
static struct uart_tick_guard guard; /* interrupts off */

/* LAST: there are no more ticks, but one byte is still to be sent.  Interrupts off. */
static enum state { OFF, LISTEN, RUN, LAST } state;

static volatile bool ports_taken; /* task code or poll() uses the ports: an NMI must not; interrupts off */

static void send_next(void)
{
    uart_write(&port.device.uart, state == RUN && port.stream ? stream_uart_lent_next() : 0);
}

/* The handler may use the ports again, before the access that brings its interrupt. */
static void enable(uint64_t now)
{
    uart_tick_line_start(&line, now);
    __asm__ volatile("" : : : "memory");
    ports_taken = false;
    uart_transmit_interrupt(&port.device.uart, true);
}

/* The transmitter is empty: send a first byte; from its end on each tick sends one. */
static void send_first(void)
{
    send_next();
    enable(rdtsc());
}

/*
 * No ticks any more; the stream's line is given back.  Not called by the tick that sent the last
 * byte: the request of that byte must be delivered first, for one that the UART takes back after
 * the 8259 has latched it comes as a spurious IRQ 7.
 */
static void disable(void (*silence)(const struct uart_tick *port))
{
    const bool lent = port.stream && (state == RUN || state == LAST);

    state = OFF;
    silence(&port);
    if (lent) {
        irq_register_tick(PIC_MASTER_VECTOR + port.device.irq, 0, false);
        stream_uart_reclaim();
    }
}

/* In the port's handler, or where nothing is pending. */
static void mask_uart(const struct uart_tick *p)
{
    uart_transmit_interrupt(&p->device.uart, false);
}

static void stop(void)
{
    ports_taken = true;
    if (port.stream && state == OFF)
        return; /* the line was given back after the last tick, and the executive sends on it */
    disable(uart_tick_silence);
    uart_tick_wait_empty(&port);
    port.via_nmi = probe.via_nmi;
    uart_tick_close(&port);
}

static uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now);

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    owner = p;
    (void)first;
    port.period = line.period = source_period(f);
    if (!port.stream)
        uart_init(&port.device.uart, (uint16_t)port.divisor); /* source_slu_timeout.c may have left it in loopback */
    guard.masked = false;
    if (port.stream) {
        sched_hold(true); /* the window has begun */
        stream_uart_lend();    /* the requests that it lets in go to the executive's handler still */
        sched_hold(false);
        irq_register_tick(PIC_MASTER_VECTOR + port.device.irq, source_slu.interrupt, false);
    }
    state = RUN;
    uart_tick_open(&port, nmi_tick);
    send_first();
}

/* An interrupt that is no tick; a storm of them is masked. */
static __attribute__((noinline)) void count_no_tick(enum uart_tick_kind verdict)
{
    if (verdict == UART_TICK_VOID)
        guard.voids++;
    else if (uart_tick_guard_early(&guard))
        uart_transmit_interrupt(&port.device.uart, false);
}

/* Not a tick; its time goes to MONITOR. */
static __attribute__((noinline)) void skip(uint64_t now, enum uart_tick_kind verdict, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    tick_enter(owner, &e, account_on);
    count_no_tick(verdict);
    pic_eoi_master(port.device.irq);
    account_tick_exit(cell);
}

/* No window is open: an interrupt that is listened to at the start, or the one of the last byte. */
static __attribute__((noinline)) void no_tick(uint64_t now)
{
    if (state == LISTEN && uart_tick_heard(now))
        send_next();
    if (state == LAST)
        disable(mask_uart);
}

/* The line was idle: each byte's time of that is a missed tick. */
static __attribute__((noinline)) void count_overrun(uint64_t now, uint64_t due)
{
    owner->counters.missed_overrun +=
        uart_tick_guard_missed(now, due + line.period + line.period / 2, line.period);
}

/* Send the next byte, and tell from the line's status at the entry what the interrupt is, and how late a tick is. */
static enum uart_tick_kind classify_irq(uint64_t now, uint8_t status, uint64_t *lateness)
{
    const uint64_t due = line.due;
    enum uart_tick_kind verdict = UART_TICK_EARLY;

    if (status & UART_LSR_THRE) {
        verdict = uart_tick_classify(&line, now, status & UART_LSR_TEMT, lateness);
        send_next();
    }
    if (verdict != UART_TICK_DUE)
        return verdict;
    if (status & UART_LSR_TEMT) {
        count_overrun(now, due);
        uart_tick_line_start(&line, rdtsc());
    }
    guard.run = 0;
    *lateness += owner->running.floor;
    return verdict;
}

/* The stream's own line has no interrupt for what comes in, while its bytes are the ticks. */
static __attribute__((noinline)) void receive(uint8_t status)
{
    if (port.stream)
        stream_uart_lent_receive(status);
}

/* The tick was the last one, or not. */
static void finish_tick(uint64_t next)
{
    if (next == 0)
        state = LAST;
    line.left = rdtsc();
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    const uint8_t status = uart_status(&port.device.uart);
    enum uart_tick_kind verdict;
    uint64_t lateness, next;

    /* acknowledges the request: without that Bochs makes no edge for the next one */
    uart_interrupt_cause(&port.device.uart);
    guard.interrupts++;
    if (state != RUN) {
        no_tick(now);
        pic_eoi_master(port.device.irq);
        return;
    }
    verdict = classify_irq(now, status, &lateness);
    if (status & UART_LSR_DR)
        receive(status);
    if (verdict != UART_TICK_DUE) {
        skip(now, verdict, cell);
        return;
    }
    next = tick_record(owner, f, now, lateness);
    pic_eoi_master(port.device.irq);
    finish_tick(next);
    account_tick_exit(cell);
}

/* The same tick as an NMI (struct nmi_line in kernel/source/nmi.h). */
static uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now };
    enum uart_tick_kind verdict;
    uint8_t status;

    if (ports_taken) {
        nmi_count_stray();
        return now;
    }
    status = uart_status(&port.device.uart);
    if (!uart_tick_nmi_silence(&port.device.uart, 0, uart_transmit_interrupt)) {
        nmi_count_stray();
        return now;
    }
    guard.interrupts++;
    if (state != RUN) {
        no_tick(now);
        return now;
    }
    verdict = classify_irq(now, status, &e.lateness);
    if (verdict != UART_TICK_DUE) {
        count_no_tick(verdict);
        return now;
    }
    nmi_locate(f, &e);
    finish_tick(probe_tick_nmi(&probe, &e));
    return probe_monitor_start(&probe, &e);
}

static void poll(uint64_t now)
{
    if (state < RUN || uart_tick_is_pending(&port) || !uart_tick_guard_check(&guard, now, line.due, line.period))
        return;
    ports_taken = true;
    if (state == LAST) {
        disable(mask_uart);
        return;
    }
    guard.masked = false;
    owner->counters.missed_source += uart_tick_guard_missed(now, line.due, line.period);
    uart_transmit_interrupt(&port.device.uart, false);
    if (uart_tx_ready(&port.device.uart))
        send_first();
    else
        enable(now); /* a byte is still being sent: its interrupt will come */
}

static void report(void)
{
    uart_tick_report(&port, &guard, line.refuted);
}

/*
 * The mean time of a byte, and the largest deviation of a tick from it; nothing else runs
 * meanwhile.  Each end of the measurement may be off by the latency of a tick in time, and the
 * crystals by some millionths: `creep` is more than either.
 */
static uint64_t measure(const struct source_facts *f)
{
    const unsigned first = 1; /* the one before it came at once: its byte went into an empty transmitter */
    uint64_t lateness, jitter = 0;

    port.period = (uart_tick_heard_at(port.heard - 1) - uart_tick_heard_at(first)) / (port.heard - 1 - first);
    line = (struct uart_tick_line){ .period = port.period, .due = uart_tick_heard_at(first) };
    for (unsigned i = first; i < port.heard; i++)
        if (uart_tick_classify(&line, uart_tick_heard_at(i), false, &lateness) == UART_TICK_DUE && lateness > jitter)
            jitter = lateness;
    line.creep = (port.period >> CREEP_SHIFT) +
                 (f->running.late - f->running.floor + jitter) / (port.heard - 2);
    return jitter;
}

static bool refuse_pace(enum uart_pace pace, const uint64_t took[2], struct refusal *why)
{
    if (pace == UART_STUCK)
        return REFUSE_WITH(why, "the transmitter of %1 does not become empty", REFUSAL_STRING(port.device.name));
    return REFUSE_WITH(why, "the transmitter of %1 is %2: two characters take %3 and %4 of their time",
                       REFUSAL_STRING(port.device.name),
                       REFUSAL_STRING(pace == UART_UNPACED ? "not paced" : "paced unevenly"),
                       REFUSAL_MILLI(uart_thousandths(took[0], port.character)),
                       REFUSAL_MILLI(uart_thousandths(took[1], port.character)));
}

/* False where the interrupts do not arrive. */
static bool listen_all(struct refusal *why)
{
    const struct uart_tick_nmi nmi = { .handler = nmi_tick, .begin = send_first, .stop = stop };
    const uint64_t longest = LONGEST * port.heard * port.character;

    uart_tick_wait_empty(&port);
    state = LISTEN;
    if (port.via_nmi)
        return uart_tick_nmi_listen(&port, &nmi, longest, why);
    return uart_tick_listen(&(struct uart_tick_irq){ port.device.irq, port.heard }, &source_slu, send_first,
                            longest) ||
           REFUSE_WITH(why, "the transmit interrupt of %1 does not arrive", REFUSAL_STRING(port.device.name));
}

static bool detect_port(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    enum uart_pace pace;
    uint64_t took[2];
    bool heard;

    if (!uart_tick_detect(&port, c, 1, false, why))
        return false;
    pace = uart_pace(&port.device.uart, rdtsc, port.character, took);
    if (pace != UART_PACED)
        return refuse_pace(pace, took, why);
    heard = listen_all(why);
    if (port.stream)
        source_slu.vector = SOURCE_NO_VECTOR; /* the stream's interrupt is the source's only while the line is lent */
    if (!heard)
        return false;
    source_allow_jitter(f, measure(f));
    uart_tick_facts(f, &port, c, 1);
    return true;
}

/* Where this delivery cannot be had, what was found by the other one is kept. */
static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    const struct uart_tick before = port;
    const struct uart_tick_line line_before = line;
    const bool found = detect_port(f, c, why);

    if (!found) {
        port = before;
        line = line_before;
    }
    return found;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    return uart_tick_set_rate(f, &port, r, 1, why);
}

static uint32_t rate_of_line(void)
{
    return uart_tick_rate(1);
}

struct source source_slu = {
    .name = "slu", .what = "UART, a byte sent each tick",
    .explicit_only = true, .vector = SOURCE_NO_VECTOR,
    .default_rate = rate_of_line, .detect = detect, .set_rate = set_rate, .start = start, .stop = stop,
    .interrupt = interrupt,
    .poll = poll, .report = report,
};
