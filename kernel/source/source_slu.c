/* SPDX-License-Identifier: MIT */
/*
 * The paper's serial line unit as tick source: each transmit-empty interrupt is
 * a tick and sends one byte, so that the line is the clock.  On a port of its
 * own the bytes are zeros; on the stream's they are the stream, and zeros where
 * it has none.  FIFO on, one byte a tick: one byte is being sent and one waits,
 * so that a tick may be almost a byte late without moving the next.
 *
 * What is known of lateness: kernel/source/uart_tick_line.h.  What is more than the floor is
 * late and goes to row MASKED.  Ticks are missed only while the line stands
 * still, which is when a tick is later than a byte: those are counted as overruns.
 *
 * As NMI the handler has the ports alone, but while `ports_taken`: between the end of one
 * tick and the beginning of another, and while the watch starts a lost one again.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/sched.h"
#include "kernel/source/tick_record.h"
#include "kernel/source/uart_tick.h"
#include "kernel/source/uart_tick_line.h"
#include "kernel/source/uart_tick_listen.h"
#include "kernel/source/uart_tick_nmi.h"
#include "uart/pacing.h"
#include "uart/uart_regs.h"

#define CREEP_SHIFT 15 /* 31 millionths */
#define LONGEST     4u /* characters' time that each interrupt is given at the send_first */

static struct probe *owner;    /* whose ticks they are; interrupts off */
static struct uart_tick port;         /* set by detect(), and its delivery by stop() */
static struct uart_tick_line line;   /* interrupts off */
static struct uart_tick_guard guard; /* interrupts off */

/* LAST: no tick any more, and the byte that waits is still to go.  Interrupts off. */
static enum state { OFF, LISTEN, RUN, LAST } state;

static volatile bool ports_taken; /* the ports are not the NMI's; interrupts off */

static void send_next(void)
{
    uart_write(&port.device.uart, state == RUN && port.stream ? stream_uart_lent_next() : 0);
}

/* The ports are given back, and the interrupt that comes for this is the handler's. */
static void enable(uint64_t now)
{
    uart_tick_line_start(&line, now);
    __asm__ volatile("" : : : "memory");
    ports_taken = false;
    uart_transmit_interrupt(&port.device.uart, true);
}

/* The transmitter is empty: a first byte, and from its end on a byte a tick. */
static void send_first(void)
{
    send_next();
    enable(rdtsc());
}

/*
 * Not in the handler of a tick that may have sent the last byte: a request that
 * is ports_taken back once the 8259 has it comes as a spurious interrupt.
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
        return; /* after its last tick the port is the executive's again, who is sending */
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
        uart_init(&port.device.uart, (uint16_t)port.divisor); /* another tick may have left it in loopback */
    guard.masked = false;
    if (port.stream) {
        sched_hold(true); /* the window has begun */
        stream_uart_lend();    /* what it lets in is the executive's yet, and the watch has nothing to look at */
        sched_hold(false);
        irq_register_tick(PIC_MASTER_VECTOR + port.device.irq, source_slu.interrupt, false);
    }
    state = RUN;
    uart_tick_open(&port, nmi_tick);
    send_first();
}

/* No tick: the machine may be flooded with them. */
static __attribute__((noinline)) void count_no_tick(enum uart_tick_kind verdict)
{
    if (verdict == UART_TICK_VOID)
        guard.voids++;
    else if (uart_tick_guard_early(&guard))
        uart_transmit_interrupt(&port.device.uart, false);
}

/* Its time is nobody's all the same. */
static __attribute__((noinline)) void skip(uint64_t now, enum uart_tick_kind verdict, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    tick_enter(owner, &e, account_on);
    count_no_tick(verdict);
    pic_eoi_master(port.device.irq);
    account_tick_exit(cell);
}

/* No tick, because none is wanted: what the send_first listens to, and what is left at the end. */
static __attribute__((noinline)) void no_tick(uint64_t now)
{
    if (state == LISTEN && uart_tick_heard(now))
        send_next();
    if (state == LAST)
        disable(mask_uart);
}

/* The line stood still, and a byte's time of that is a tick. */
static __attribute__((noinline)) void count_overrun(uint64_t now, uint64_t due)
{
    owner->counters.missed_overrun +=
        uart_tick_guard_missed(now, due + line.period + line.period / 2, line.period);
}

/* What the interrupt is by the line's status at its entry; its lateness, and the next byte sent. */
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

    uart_interrupt_cause(&port.device.uart); /* takes the request back: Bochs else makes no edge for the next */
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

/* The same as NMI (kernel/source/nmi.h, struct nmi_line). */
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
        enable(now); /* a byte still waits: its interrupt will come */
}

static void report(void)
{
    uart_tick_report(&port, &guard, line.refuted);
}

/*
 * The mean of a byte, and by how much ticks left it: nothing else ran meanwhile.
 * Both ends of the mean may be off by what a tick in time is, and crystals by as
 * many millionths as they promise: the creep is more than either.
 */
static uint64_t measure(const struct source_facts *f)
{
    const unsigned first = 1; /* the one before it came at once: its byte went into an empty UART */
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

static const char *refuse_pace(enum uart_pace pace, const uint64_t took[2])
{
    if (pace == UART_STUCK)
        return sentence("the transmitter of ", port.device.name, " does not become empty");
    return sentence("the transmitter of ", port.device.name,
                        pace == UART_UNPACED ? " is not paced: two characters take "
                                             : " is paced unevenly: two characters take ",
                        MILLI(uart_thousandths(took[0], port.character)), " and ",
                        MILLI(uart_thousandths(took[1], port.character)), " of their time");
}

/* NULL, or why there is nothing to hear. */
static const char *listen_all(void)
{
    const struct uart_tick_nmi nmi = { .handler = nmi_tick, .begin = send_first, .stop = stop };
    const uint64_t longest = LONGEST * port.heard * port.character;

    uart_tick_wait_empty(&port);
    state = LISTEN;
    if (port.via_nmi)
        return uart_tick_nmi_listen(&port, &nmi, longest);
    return uart_tick_listen(&(struct uart_tick_irq){ port.device.irq, port.heard }, &source_slu, send_first, longest) ? 0 :
        sentence("the transmit interrupt of ", port.device.name, " does not arrive");
}

static const char *detect_port(struct source_facts *f, const struct calibration *c)
{
    const char *why = uart_tick_detect(&port, c, 1, false);
    enum uart_pace pace;
    uint64_t took[2];

    if (why != 0)
        return why;
    pace = uart_pace(&port.device.uart, rdtsc, port.character, took);
    if (pace != UART_PACED)
        return refuse_pace(pace, took);
    why = listen_all();
    if (port.stream)
        source_slu.vector = SOURCE_NO_VECTOR; /* the stream's interrupt is the source's only while the line is lent */
    if (why != 0)
        return why;
    source_allow_jitter(f, measure(f));
    uart_tick_facts(f, &port, c, 1);
    return 0;
}

/* What was found by another delivery stands, where this one is not to be had. */
static const char *detect(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const struct uart_tick before = port;
    const struct uart_tick_line line_before = line;
    const char *why = detect_port(f, c);

    (void)rate; /* the line makes one */
    if (why != 0) {
        port = before;
        line = line_before;
    }
    return why;
}

static const char *set_rate(struct source_facts *f, const struct source_request *r)
{
    return uart_tick_set_rate(f, &port, r, 1);
}

static uint32_t rate_of_line(void)
{
    return uart_tick_rate(1);
}

struct source source_slu = {
    .name = "slu", .what = "UART, a byte sent each tick",
    .explicit_only = true, .vector = SOURCE_NO_VECTOR,
    .default_rate = rate_of_line, .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt,
    .poll = poll, .report = report,
};
