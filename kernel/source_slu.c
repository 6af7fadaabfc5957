/* SPDX-License-Identifier: MIT */
/*
 * The paper's serial line unit as tick source: each transmit-empty interrupt is
 * a tick and sends one byte, so that the line is the clock.  On a port of its
 * own the bytes are zeros; on the stream's they are the stream, and zeros where
 * it has none.  FIFO on, one byte a tick: one byte is being sent and one waits,
 * so that a tick may be almost a byte late without moving the next.
 *
 * What is known of lateness: kernel/slu_line.h.  What is more than the floor is
 * late and goes to row MASKED.  Ticks are missed only while the line stands
 * still, which is when a tick is later than a byte: those are counted as overruns.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/say.h"
#include "kernel/serial.h"
#include "kernel/slu.h"
#include "kernel/slu_line.h"
#include "kernel/tick_take.h"
#include "uart/pacing.h"
#include "uart/uart_regs.h"

#define CREEP_SHIFT 15 /* 31 millionths */
#define LONGEST     4u /* characters' time that each interrupt is given at the start */

static struct slu slu;         /* set once */
static struct slu_line line;   /* interrupts off */
static struct slu_guard guard; /* interrupts off */

/* LAST: no tick any more, and the byte that waits is still to go.  Interrupts off. */
static enum { OFF, LISTEN, RUN, LAST } state;

static void put_next(void)
{
    uart_put(&slu.device.uart, state == RUN && slu.stream ? serial_next() : 0);
}

/* The transmitter is empty: a first byte, and from its end on a byte a tick. */
static void start(void)
{
    put_next();
    slu_begun(&line, rdtsc());
    uart_transmit_interrupt(&slu.device.uart, true);
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
        serial_lend(false);
    }
}

static void stop(void)
{
    halt();
    slu_wait_empty(&slu);
    slu_drain();
}

static void begin(uint64_t first)
{
    (void)first;
    guard.masked = false;
    state = RUN;
    if (slu.stream) {
        source_slu.vector = PIC_MASTER_VECTOR + slu.device.irq;
        serial_lend(true);
    }
    start();
}

/* No tick: its time is nobody's all the same, and the machine may be flooded with them. */
static __attribute__((noinline)) void pass_over(uint64_t now, enum slu_verdict verdict, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    if (account_on)
        probe_enter(&probe, &e);
    if (verdict == SLU_VOID)
        guard.voids++;
    else if (slu_guard_early(&guard))
        uart_transmit_interrupt(&slu.device.uart, false);
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
    pic_eoi_master(slu.device.irq);
}

/* The line stood still, and a byte's time of that is a tick. */
static __attribute__((noinline)) void count_overrun(uint64_t now, uint64_t due)
{
    probe.counters.missed_overrun +=
        slu_guard_missed(now, due + line.period + line.period / 2, line.period);
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    const struct uart *const u = &slu.device.uart;
    uint64_t *const cell = account.cell;
    const uint8_t status = uart_status(u);
    enum slu_verdict verdict = SLU_EARLY;
    const uint64_t due = line.due;
    uint64_t lateness = 0, next;

    uart_cause(u); /* takes the request back: Bochs else makes no edge for the next */
    guard.interrupts++;
    if (state != RUN) {
        other(now);
        return;
    }
    if (status & UART_LSR_THRE) {
        verdict = slu_judge(&line, now, status & UART_LSR_TEMT, &lateness);
        put_next();
    }
    if (verdict != SLU_TICK) {
        pass_over(now, verdict, cell);
        return;
    }
    if (status & UART_LSR_TEMT) {
        count_overrun(now, due);
        slu_begun(&line, rdtsc());
    }
    guard.run = 0;
    next = tick_take(&probe, f, now, lateness + probe.running.floor);
    pic_eoi_master(slu.device.irq);
    if (next == 0)
        state = LAST;
    line.left = rdtsc();
    account_leave(cell);
}

static void watch(uint64_t now)
{
    if (state < RUN || !slu_guard_look(&guard, now, line.due, line.period))
        return;
    if (state == LAST) {
        halt();
        return;
    }
    guard.masked = false;
    probe.counters.missed_source += slu_guard_missed(now, line.due, line.period);
    uart_transmit_interrupt(&slu.device.uart, false);
    if (uart_ready(&slu.device.uart)) {
        start();
    } else { /* a byte still waits: its interrupt will come */
        slu_begun(&line, now);
        uart_transmit_interrupt(&slu.device.uart, true);
    }
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

    slu.period = (slu_heard_at(SLU_HEARD - 1) - slu_heard_at(first)) / (SLU_HEARD - 1 - first);
    line = (struct slu_line){ .period = slu.period, .due = slu_heard_at(first) };
    for (unsigned i = first; i < SLU_HEARD; i++)
        if (slu_judge(&line, slu_heard_at(i), false, &lateness) == SLU_TICK && lateness > jitter)
            jitter = lateness;
    line.creep = (slu.period >> CREEP_SHIFT) +
                 (f->running.late - f->running.floor + jitter) / (SLU_HEARD - 2);
    return jitter;
}

static const char *refuse_pace(enum uart_pace pace, const uint64_t took[2])
{
    if (pace == UART_STUCK)
        return slu_sentence("the transmitter of ", slu.device.name, " does not become empty");
    return slu_sentence("the transmitter of ", slu.device.name,
                        pace == UART_UNPACED ? " is not paced: two characters take "
                                             : " is paced unevenly: two characters take ",
                        MILLI(uart_thousandths(took[0], slu.character)), " and ",
                        MILLI(uart_thousandths(took[1], slu.character)), " of their time");
}

static const char *find(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const char *why = slu_find(&slu, c, false);
    enum uart_pace pace;
    uint64_t took[2];
    bool came;

    (void)rate; /* rate= is held against what the line makes */
    if (why != 0)
        return why;
    pace = uart_pace(&slu.device.uart, rdtsc, slu.character, took);
    if (pace != UART_PACED)
        return refuse_pace(pace, took);
    slu_wait_empty(&slu);
    state = LISTEN;
    came = slu_listen(&slu, &source_slu, start, LONGEST * SLU_HEARD * slu.character);
    if (!came)
        return slu_sentence("the transmit interrupt of ", slu.device.name, " does not arrive");
    source_widen(f, measure(f));
    return slu_facts(f, &slu, c, 1);
}

static uint32_t rate_of_line(void)
{
    return slu_rate(1);
}

struct source source_slu = {
    .name = "slu", .what = "UART, a byte sent each tick",
    .by_name = true, .vector = SLU_NO_VECTOR,
    .rate = rate_of_line, .find = find, .begin = begin, .stop = stop, .interrupt = interrupt,
    .watch = watch, .tell = tell,
};
