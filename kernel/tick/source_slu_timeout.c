/* SPDX-License-Identifier: MIT */
/*
 * The character time-out of a UART as tick source: a byte that lies alone in the
 * receiver interrupts once nothing has followed it for some characters' time (3
 * or 4: measured).  In loopback, where the handler itself sends the byte, that is a
 * one-shot armed in the handler; it needs no paced transmitter, and no wire.
 *
 * What is known of lateness: the clock since the byte was sent, against the
 * soonest time-out that was seen at the start.  No tick can come before the last
 * one is done with, so what is late beyond the floor was masked.
 *
 * As NMI the handler has the ports alone, but while `taken`: between the end of one
 * tick and the beginning of another, and while the watch starts a lost one again.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/tick/tick_record.h"
#include "kernel/tick/uart_tick.h"
#include "kernel/tick/uart_tick_listen.h"
#include "kernel/tick/uart_tick_nmi.h"
#include "uart/uart_regs.h"

#define CHARACTERS_MIN 2u /* of a time-out that is believed */
#define CHARACTERS_MAX 6u
#define CHARACTERS_USUAL 4u /* by the data sheet */

static struct probe *taker;    /* whose ticks they are; interrupts off */
static struct slu slu;         /* set by find(), and its delivery by stop() */
static struct slu_guard guard; /* interrupts off */
static uint64_t sent, due;     /* clock units; interrupts off */
static bool running, listening; /* interrupts off */
static volatile bool taken;    /* the ports are not the NMI's; interrupts off */
static uint64_t characters = CHARACTERS_USUAL; /* of a time-out; set once it is measured */

static void start(void)
{
    uart_put(&slu.device.uart, 0);
    sent = rdtsc();
    due = sent + slu.period;
}

static void halt(void)
{
    running = false;
    uart_timeout_interrupt(&slu.device.uart, false);
}

static void stop(void)
{
    taken = true;
    halt();
    slu.unmasked = probe.unmasked;
    slu_close(&slu);
    uart_timeout_init(&slu.device.uart);
}

/* Its time-out, some characters on, finds the ports given back. */
static void first_start(void)
{
    taken = true;
    uart_timeout_init(&slu.device.uart);
    uart_timeout_interrupt(&slu.device.uart, true);
    start();
    __asm__ volatile("" : : : "memory");
    taken = false;
}

static uint64_t unmasked(const struct cpu_frame *f, uint64_t now);

static void begin(struct probe *p, const struct source_facts *f, uint64_t first)
{
    taker = p;
    (void)first;
    slu.period = source_period(f);
    slu_open(&slu, unmasked);
    guard.masked = false;
    running = true;
    first_start();
}

/* Whether the interrupt at `now` is the tick of a byte; one that is none is seen to. */
static bool is_tick(uint64_t now, bool byte)
{
    guard.interrupts++;
    if (byte && (int64_t)(now - due) >= -(int64_t)(slu.period / 2)) {
        guard.run = 0;
        return true;
    }
    if (slu_guard_early(&guard))
        uart_timeout_interrupt(&slu.device.uart, false);
    else if (byte)
        start();
    return false;
}

static uint64_t lateness_at(uint64_t now)
{
    return (int64_t)(now - due) > 0 ? now - due : 0;
}

/* Count the tick's follower in, or be done. */
static void go_on(uint64_t next)
{
    if (next != 0)
        start();
    else
        halt();
}

/* No tick: its time is nobody's all the same. */
static __attribute__((noinline)) void pass_over(uint64_t now, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    tick_enter(taker, &e, account_on);
    pic_eoi_master(slu.device.irq);
    account_leave(cell);
}

static __attribute__((noinline)) void listen(uint64_t now)
{
    if (listening && slu_heard(now - sent))
        start();
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    const struct uart *const u = &slu.device.uart;
    uint64_t *const cell = account.cell;
    bool byte;
    uint64_t next;

    uart_cause(u);
    byte = uart_discard(u) != 0;
    if (!running) {
        listen(now);
        pic_eoi_master(slu.device.irq);
        return;
    }
    if (!is_tick(now, byte)) {
        pass_over(now, cell);
        return;
    }
    next = tick_take(taker, f, now, lateness_at(now));
    pic_eoi_master(slu.device.irq);
    go_on(next);
    account_leave(cell);
}

/* The same as NMI (kernel/tick/nmi.h, struct nmi_line). */
static uint64_t unmasked(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now };
    unsigned bytes = 0;

    if (taken || !slu_nmi_silence(&slu.device.uart, &bytes, uart_timeout_interrupt)) {
        nmi_stray();
        return now;
    }
    if (!running) {
        listen(now);
        return now;
    }
    if (!is_tick(now, bytes != 0))
        return now;
    nmi_place(f, &e);
    e.lateness = lateness_at(now);
    go_on(probe_unmasked_tick(&probe, &e));
    return probe_monitors_from(&probe, &e);
}

static void watch(uint64_t now)
{
    if (!running || !slu_guard_look(&guard, now, due, slu.period))
        return;
    guard.masked = false;
    taker->counters.missed_source += slu_guard_missed(now, due, slu.period);
    first_start();
}

static void tell(void)
{
    slu_tell(&slu, &guard, 0);
}

/* NULL, or why there is nothing to hear. */
static const char *listen_to(void)
{
    const struct slu_nmi nmi = { .handler = unmasked, .begin = first_start, .stop = stop };
    const uint64_t longest = 2 * CHARACTERS_MAX * slu.heard * slu.character;
    const char *why = 0;

    listening = true;
    if (slu.unmasked)
        why = slu_nmi_listen(&slu, &nmi, longest);
    else if (!slu_listen(&(struct slu_interrupts){ slu.device.irq, slu.heard }, &source_slu_timeout, first_start, longest))
        why = sentence("the time-out interrupt of ", slu.device.name, " does not arrive");
    listening = false;
    return why;
}

/* The soonest is the time-out, the floor of interrupt entry taken off. */
static void measure(struct source_facts *f)
{
    uint64_t most = 0;

    slu.period = UINT64_MAX;
    for (unsigned i = 0; i < slu.heard; i++) {
        const uint64_t took = slu_heard_at(i);

        slu.period = took < slu.period ? took : slu.period;
        most = took > most ? took : most;
    }
    source_widen(f, most - slu.period);
    slu.period -= f->running.floor;
}

static const char *look(struct source_facts *f, const struct calibration *c)
{
    const char *why = slu_find(&slu, c, CHARACTERS_USUAL, true);

    if (why == 0)
        why = listen_to();
    if (why != 0)
        return why;
    measure(f);
    characters = (slu.period + slu.character / 2) / slu.character;
    if (characters < CHARACTERS_MIN || characters > CHARACTERS_MAX)
        return sentence("a time-out of ", slu.device.name, " takes ",
                            MILLI(slu.period * 1000 / slu.character), " characters' time");
    f->note = sentence(", a time-out takes ", MILLI(slu.period * 1000 / slu.character), " characters' time");
    slu_facts(f, &slu, c, characters);
    return 0;
}

/* What was found by another delivery stands, where this one is not to be had. */
static const char *find(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const struct slu before = slu;
    const char *why = look(f, c);

    (void)rate; /* the line makes one */
    if (why != 0)
        slu = before;
    return why;
}

static const char *fit(struct source_facts *f, const struct source_request *r)
{
    return slu_fit(f, &slu, r, characters);
}

static uint32_t rate_of_line(void)
{
    return slu_rate(characters);
}

struct source source_slu_timeout = {
    .name = "slu-timeout", .what = "UART in loopback, character time-out",
    .by_name = true, .waits = true, .vector = SLU_NO_VECTOR,
    .rate = rate_of_line, .find = find, .fit = fit, .begin = begin, .stop = stop, .interrupt = interrupt,
    .watch = watch, .tell = tell,
};
