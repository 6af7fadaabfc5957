/* SPDX-License-Identifier: MIT */
/*
 * The paper's serial line unit as tick source: each transmit-empty interrupt is
 * a tick and sends one byte, so that the line is the clock.  On a port of its
 * own the bytes are zeros; on the stream's they are the stream, and zeros where
 * it has none.  FIFO on, one byte a tick: one byte is being sent and one waits,
 * so that a tick may be almost a byte late without moving the next.
 *
 * What is known of lateness: kernel/tick/uart_tick_line.h.  What is more than the floor is
 * late and goes to row MASKED.  Ticks are missed only while the line stands
 * still, which is when a tick is later than a byte: those are counted as overruns.
 *
 * As NMI the handler has the ports alone, but while `taken`: between the end of one
 * tick and the beginning of another, and while the watch starts a lost one again.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/sched.h"
#include "kernel/tick/tick_record.h"
#include "kernel/tick/uart_tick.h"
#include "kernel/tick/uart_tick_line.h"
#include "kernel/tick/uart_tick_listen.h"
#include "kernel/tick/uart_tick_nmi.h"
#include "uart/pacing.h"
#include "uart/uart_regs.h"

#define CREEP_SHIFT 15 /* 31 millionths */
#define LONGEST     4u /* characters' time that each interrupt is given at the start */

static struct probe *taker;    /* whose ticks they are; interrupts off */
static struct slu slu;         /* set by find(), and its delivery by stop() */
static struct slu_line line;   /* interrupts off */
static struct slu_guard guard; /* interrupts off */

/* LAST: no tick any more, and the byte that waits is still to go.  Interrupts off. */
static enum { OFF, LISTEN, RUN, LAST } state;

static volatile bool taken; /* the ports are not the NMI's; interrupts off */

static void put_next(void)
{
    uart_put(&slu.device.uart, state == RUN && slu.stream ? serial_next() : 0);
}

/* The ports are given back, and the interrupt that comes for this is the handler's. */
static void let_in(uint64_t now)
{
    slu_begun(&line, now);
    __asm__ volatile("" : : : "memory");
    taken = false;
    uart_transmit_interrupt(&slu.device.uart, true);
}

/* The transmitter is empty: a first byte, and from its end on a byte a tick. */
static void start(void)
{
    put_next();
    let_in(rdtsc());
}

/*
 * Not in the handler of a tick that may have sent the last byte: a request that
 * is taken back once the 8259 has it comes as a spurious interrupt.
 */
static void halt(void)
{
    const bool lent = slu.stream && (state == RUN || state == LAST);

    state = OFF;
    uart_transmit_interrupt(&slu.device.uart, false);
    if (lent) {
        source_slu.vector = SLU_NO_VECTOR;
        serial_take_back();
    }
}

static void stop(void)
{
    taken = true;
    if (slu.stream && state == OFF)
        return; /* after its last tick the port is the executive's again, who is sending */
    halt();
    slu_wait_empty(&slu);
    slu.unmasked = probe.unmasked;
    slu_close(&slu);
}

static uint64_t unmasked(const struct cpu_frame *f, uint64_t now);

static void begin(struct probe *p, const struct source_facts *f, uint64_t first)
{
    taker = p;
    (void)first;
    slu.period = line.period = source_period(f);
    if (!slu.stream)
        uart_init(&slu.device.uart, (uint16_t)slu.divisor); /* another tick may have left it in loopback */
    guard.masked = false;
    if (slu.stream) {
        sched_hold(true); /* the window has begun */
        serial_lend();    /* what it lets in is the executive's yet, and the watch has nothing to look at */
        sched_hold(false);
        source_slu.vector = PIC_MASTER_VECTOR + slu.device.irq;
    }
    state = RUN;
    slu_open(&slu, unmasked);
    start();
}

/* No tick: the machine may be flooded with them. */
static __attribute__((noinline)) void count_none(enum slu_verdict verdict)
{
    if (verdict == SLU_VOID)
        guard.voids++;
    else if (slu_guard_early(&guard))
        uart_transmit_interrupt(&slu.device.uart, false);
}

/* Its time is nobody's all the same. */
static __attribute__((noinline)) void pass_over(uint64_t now, enum slu_verdict verdict, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    tick_enter(taker, &e, account_on);
    count_none(verdict);
    pic_eoi_master(slu.device.irq);
    account_leave(cell);
}

/* No tick, because none is wanted: what the start listens to, and what is left at the end. */
static __attribute__((noinline)) void other(uint64_t now)
{
    if (state == LISTEN && slu_heard(now))
        put_next();
    if (state == LAST)
        halt();
}

/* The line stood still, and a byte's time of that is a tick. */
static __attribute__((noinline)) void count_overrun(uint64_t now, uint64_t due)
{
    taker->counters.missed_overrun +=
        slu_guard_missed(now, due + line.period + line.period / 2, line.period);
}

/* What the interrupt is by the line's status at its entry; its lateness, and the next byte sent. */
static enum slu_verdict judge(uint64_t now, uint8_t status, uint64_t *lateness)
{
    const uint64_t due = line.due;
    enum slu_verdict verdict = SLU_EARLY;

    if (status & UART_LSR_THRE) {
        verdict = slu_judge(&line, now, status & UART_LSR_TEMT, lateness);
        put_next();
    }
    if (verdict != SLU_TICK)
        return verdict;
    if (status & UART_LSR_TEMT) {
        count_overrun(now, due);
        slu_begun(&line, rdtsc());
    }
    guard.run = 0;
    *lateness += taker->running.floor;
    return verdict;
}

/* The stream's own line has no interrupt for what comes in, while its bytes are the ticks. */
static __attribute__((noinline)) void take_in(uint8_t status)
{
    if (slu.stream)
        serial_receive(status);
}

/* The tick was the last one, or not. */
static void go_on(uint64_t next)
{
    if (next == 0)
        state = LAST;
    line.left = rdtsc();
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    const uint8_t status = uart_status(&slu.device.uart);
    enum slu_verdict verdict;
    uint64_t lateness, next;

    uart_cause(&slu.device.uart); /* takes the request back: Bochs else makes no edge for the next */
    guard.interrupts++;
    if (state != RUN) {
        other(now);
        pic_eoi_master(slu.device.irq);
        return;
    }
    verdict = judge(now, status, &lateness);
    if (status & UART_LSR_DR)
        take_in(status);
    if (verdict != SLU_TICK) {
        pass_over(now, verdict, cell);
        return;
    }
    next = tick_take(taker, f, now, lateness);
    pic_eoi_master(slu.device.irq);
    go_on(next);
    account_leave(cell);
}

/* The same as NMI (kernel/tick/nmi.h, struct nmi_line). */
static uint64_t unmasked(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now };
    enum slu_verdict verdict;
    uint8_t status;

    if (taken) {
        nmi_stray();
        return now;
    }
    status = uart_status(&slu.device.uart);
    if (!slu_nmi_silence(&slu.device.uart, 0, uart_transmit_interrupt)) {
        nmi_stray();
        return now;
    }
    guard.interrupts++;
    if (state != RUN) {
        other(now);
        return now;
    }
    verdict = judge(now, status, &e.lateness);
    if (verdict != SLU_TICK) {
        count_none(verdict);
        return now;
    }
    nmi_place(f, &e);
    go_on(probe_unmasked_tick(&probe, &e));
    return probe_monitors_from(&probe, &e);
}

static void watch(uint64_t now)
{
    if (state < RUN || !slu_guard_look(&guard, now, line.due, line.period))
        return;
    taken = true;
    if (state == LAST) {
        halt();
        return;
    }
    guard.masked = false;
    taker->counters.missed_source += slu_guard_missed(now, line.due, line.period);
    uart_transmit_interrupt(&slu.device.uart, false);
    if (uart_ready(&slu.device.uart))
        start();
    else
        let_in(now); /* a byte still waits: its interrupt will come */
}

static void tell(void)
{
    slu_tell(&slu, &guard, line.refuted);
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

    slu.period = (slu_heard_at(slu.heard - 1) - slu_heard_at(first)) / (slu.heard - 1 - first);
    line = (struct slu_line){ .period = slu.period, .due = slu_heard_at(first) };
    for (unsigned i = first; i < slu.heard; i++)
        if (slu_judge(&line, slu_heard_at(i), false, &lateness) == SLU_TICK && lateness > jitter)
            jitter = lateness;
    line.creep = (slu.period >> CREEP_SHIFT) +
                 (f->running.late - f->running.floor + jitter) / (slu.heard - 2);
    return jitter;
}

static const char *refuse_pace(enum uart_pace pace, const uint64_t took[2])
{
    if (pace == UART_STUCK)
        return sentence("the transmitter of ", slu.device.name, " does not become empty");
    return sentence("the transmitter of ", slu.device.name,
                        pace == UART_UNPACED ? " is not paced: two characters take "
                                             : " is paced unevenly: two characters take ",
                        MILLI(uart_thousandths(took[0], slu.character)), " and ",
                        MILLI(uart_thousandths(took[1], slu.character)), " of their time");
}

/* NULL, or why there is nothing to hear. */
static const char *listen_to(void)
{
    const struct slu_nmi nmi = { .handler = unmasked, .begin = start, .stop = stop };
    const uint64_t longest = LONGEST * slu.heard * slu.character;

    slu_wait_empty(&slu);
    state = LISTEN;
    if (slu.unmasked)
        return slu_nmi_listen(&slu, &nmi, longest);
    return slu_listen(&(struct slu_interrupts){ slu.device.irq, slu.heard }, &source_slu, start, longest) ? 0 :
        sentence("the transmit interrupt of ", slu.device.name, " does not arrive");
}

static const char *look(struct source_facts *f, const struct calibration *c)
{
    const char *why = slu_find(&slu, c, 1, false);
    enum uart_pace pace;
    uint64_t took[2];

    if (why != 0)
        return why;
    pace = uart_pace(&slu.device.uart, rdtsc, slu.character, took);
    if (pace != UART_PACED)
        return refuse_pace(pace, took);
    why = listen_to();
    if (why != 0)
        return why;
    source_widen(f, measure(f));
    slu_facts(f, &slu, c, 1);
    return 0;
}

/* What was found by another delivery stands, where this one is not to be had. */
static const char *find(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const struct slu before = slu;
    const struct slu_line line_before = line;
    const char *why = look(f, c);

    (void)rate; /* the line makes one */
    if (why != 0) {
        slu = before;
        line = line_before;
    }
    return why;
}

static const char *fit(struct source_facts *f, const struct source_request *r)
{
    return slu_fit(f, &slu, r, 1);
}

static uint32_t rate_of_line(void)
{
    return slu_rate(1);
}

struct source source_slu = {
    .name = "slu", .what = "UART, a byte sent each tick",
    .by_name = true, .vector = SLU_NO_VECTOR,
    .rate = rate_of_line, .find = find, .fit = fit, .begin = begin, .stop = stop, .interrupt = interrupt,
    .watch = watch, .tell = tell,
};
