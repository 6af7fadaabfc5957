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
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/say.h"
#include "kernel/slu.h"
#include "kernel/tick_take.h"
#include "uart/uart_regs.h"

#define CHARACTERS_MIN 2u /* of a time-out that is believed */
#define CHARACTERS_MAX 6u
#define CHARACTERS_USUAL 4u /* by the data sheet */

static struct slu slu;         /* set once */
static struct slu_guard guard; /* interrupts off */
static uint64_t sent, due;     /* clock units; interrupts off */
static bool running, listening; /* interrupts off */
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
    halt();
    slu_drain();
    uart_timeout_init(&slu.device.uart);
}

static void first_start(void)
{
    uart_timeout_init(&slu.device.uart);
    uart_timeout_interrupt(&slu.device.uart, true);
    start();
}

static void begin(uint64_t first)
{
    (void)first;
    guard.masked = false;
    running = true;
    first_start();
}

/* No tick: its time is nobody's all the same. */
static __attribute__((noinline)) void pass_over(uint64_t now, bool byte, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    if (account_on)
        probe_enter(&probe, &e);
    if (slu_guard_early(&guard))
        uart_timeout_interrupt(&slu.device.uart, false);
    else if (byte)
        start();
    pic_eoi_master(slu.device.irq);
    account_leave(cell);
}

static __attribute__((noinline)) void listen(uint64_t now)
{
    if (listening && slu_heard(now - sent))
        start();
    pic_eoi_master(slu.device.irq);
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    const struct uart *const u = &slu.device.uart;
    uint64_t *const cell = account.cell;
    const int64_t behind = (int64_t)(now - due);
    bool byte;
    uint64_t next;

    uart_cause(u);
    byte = uart_discard(u) != 0;
    if (!running) {
        listen(now);
        return;
    }
    guard.interrupts++;
    if (!byte || behind < -(int64_t)(slu.period / 2)) {
        pass_over(now, byte, cell);
        return;
    }
    guard.run = 0;
    next = tick_take(&probe, f, now, behind > 0 ? (uint64_t)behind : 0);
    pic_eoi_master(slu.device.irq);
    if (next != 0)
        start();
    else
        halt();
    account_leave(cell);
}

static void watch(uint64_t now)
{
    if (!running || !slu_guard_look(&guard, now, due, slu.period))
        return;
    guard.masked = false;
    probe.counters.missed_source += slu_guard_missed(now, due, slu.period);
    first_start();
}

static void tell(void)
{
    slu_tell(&slu, &guard, 0);
}

/* The soonest is the time-out, the floor of interrupt entry taken off. */
static void measure(struct source_facts *f)
{
    uint64_t most = 0;

    slu.period = UINT64_MAX;
    for (unsigned i = 0; i < SLU_HEARD; i++) {
        const uint64_t took = slu_heard_at(i);

        slu.period = took < slu.period ? took : slu.period;
        most = took > most ? took : most;
    }
    source_widen(f, most - slu.period);
    slu.period -= f->running.floor;
}

static const char *find(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const char *why = slu_find(&slu, c, true);
    bool came;

    (void)rate; /* rate= is held against what the line makes */
    if (why != 0)
        return why;
    listening = true;
    came = slu_listen(&slu, &source_slu_timeout, first_start,
                      2 * CHARACTERS_MAX * SLU_HEARD * slu.character);
    listening = false;
    if (!came)
        return slu_sentence("the time-out interrupt of ", slu.device.name, " does not arrive");
    measure(f);
    characters = (slu.period + slu.character / 2) / slu.character;
    if (characters < CHARACTERS_MIN || characters > CHARACTERS_MAX)
        return slu_sentence("a time-out of ", slu.device.name, " takes ",
                            MILLI(slu.period * 1000 / slu.character), " characters' time");
    say(SAY_NOTE, "a character time-out of ", slu.device.name, " takes ",
        MILLI(slu.period * 1000 / slu.character), " characters' time");
    return slu_facts(f, &slu, c, characters);
}

static uint32_t rate_of_line(void)
{
    return slu_rate(characters);
}

struct source source_slu_timeout = {
    .name = "slu-timeout", .what = "UART in loopback, character time-out",
    .by_name = true, .waits = true, .vector = SLU_NO_VECTOR,
    .rate = rate_of_line, .find = find, .begin = begin, .stop = stop, .interrupt = interrupt,
    .watch = watch, .tell = tell,
};
