/* SPDX-License-Identifier: MIT */
/*
 * The character time-out of a UART as tick source: a single byte in the receive FIFO
 * interrupts when nothing has followed it for some characters' time (3 or 4: measured).  In
 * loopback the handler sends that byte itself, which makes a one-shot armed in the handler.  It
 * needs neither a paced transmitter nor a wire.
 *
 * The lateness of a tick is the time since its byte was sent, less the shortest time-out that
 * was measured at the start.  No tick can come before the handler of the last one has ended, so
 * that what exceeds the floor was masked.
 *
 * With delivery=nmi only the handler uses the UART's ports, except while `ports_taken`: from
 * the last tick of a window to the first one of the next, and while poll() restarts a lost tick.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/slu/uart_tick.h"
#include "kernel/source/tick_record.h"

#define CHARACTERS_MIN 2u /* a time-out out of this range is refused */
#define CHARACTERS_MAX 6u
#define CHARACTERS_USUAL 4u /* by the data sheet */

static struct probe *owner;    /* whose ticks they are; interrupts off */
static struct uart_tick port;         /* set by detect(), and its delivery by stop() */
static struct uart_tick_guard guard; /* interrupts off */
static uint64_t sent, due;     /* clock units; interrupts off */
static bool running, listening; /* interrupts off */
static volatile bool ports_taken;    /* task code or poll() uses the ports: an NMI must not; interrupts off */
static uint64_t characters = CHARACTERS_USUAL; /* of a time-out; set once it is measured */

static void send_first(void)
{
    uart_write(&port.device.uart, 0);
    sent = rdtsc();
    due = sent + port.period;
}

static void disable(void)
{
    running = false;
    uart_timeout_interrupt(&port.device.uart, false);
}

static void stop(void)
{
    ports_taken = true;
    running = false;
    uart_tick_silence(&port);
    port.via_nmi = probe.via_nmi;
    uart_tick_close(&port);
    uart_timeout_init(&port.device.uart);
}

/* The time-out comes some characters later, when the ports are the handler's again. */
static void restart(void)
{
    ports_taken = true;
    uart_timeout_init(&port.device.uart);
    uart_timeout_interrupt(&port.device.uart, true);
    send_first();
    __asm__ volatile("" : : : "memory");
    ports_taken = false;
}

static uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now);

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    owner = p;
    (void)first;
    port.period = source_period(f);
    uart_tick_open(&port, nmi_tick);
    guard.masked = false;
    running = true;
    restart();
}

/* Whether the interrupt at `now` is a tick.  After one that is none, send a byte again, or mask a storm. */
static bool is_tick(uint64_t now, bool byte)
{
    guard.interrupts++;
    if (byte && (int64_t)(now - due) >= -(int64_t)(port.period / 2)) {
        guard.run = 0;
        return true;
    }
    if (uart_tick_guard_early(&guard))
        uart_timeout_interrupt(&port.device.uart, false);
    else if (byte)
        send_first();
    return false;
}

static uint64_t lateness_at(uint64_t now)
{
    return (int64_t)(now - due) > 0 ? now - due : 0;
}

/* Arm the next tick; after the last one disable the interrupt. */
static void finish_tick(uint64_t next)
{
    if (next != 0)
        send_first();
    else
        disable();
}

/* Not a tick; its time goes to MONITOR. */
static __attribute__((noinline)) void skip(uint64_t now, uint64_t *cell)
{
    const struct probe_event e = { .sample.time = now, .halted = current->id == ROW_IDLE };

    tick_enter(owner, &e, account_on);
    pic_eoi_master(port.device.irq);
    account_tick_exit(cell);
}

static __attribute__((noinline)) void listen(uint64_t now)
{
    if (listening && uart_tick_heard(now - sent))
        send_first();
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    const struct uart *const u = &port.device.uart;
    uint64_t *const cell = account.cell;
    bool byte;
    uint64_t next;

    uart_interrupt_cause(u);
    byte = uart_flush_rx(u) != 0;
    if (!running) {
        listen(now);
        pic_eoi_master(port.device.irq);
        return;
    }
    if (!is_tick(now, byte)) {
        skip(now, cell);
        return;
    }
    next = tick_record(owner, f, now, lateness_at(now));
    pic_eoi_master(port.device.irq);
    finish_tick(next);
    account_tick_exit(cell);
}

/* The same tick as an NMI (struct nmi_line in kernel/source/nmi.h). */
static uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now };
    unsigned bytes = 0;

    if (ports_taken || !uart_tick_nmi_silence(&port.device.uart, &bytes, uart_timeout_interrupt)) {
        nmi_count_stray();
        return now;
    }
    if (!running) {
        listen(now);
        return now;
    }
    if (!is_tick(now, bytes != 0))
        return now;
    nmi_locate(f, &e);
    e.lateness = lateness_at(now);
    finish_tick(probe_tick_nmi(&probe, &e));
    return probe_monitor_start(&probe, &e);
}

static void poll(uint64_t now)
{
    if (!running || uart_tick_is_pending(&port) || !uart_tick_guard_check(&guard, now, due, port.period))
        return;
    guard.masked = false;
    owner->counters.missed_source += uart_tick_guard_missed(now, due, port.period);
    restart();
}

static void report(void)
{
    uart_tick_report(&port, &guard, 0);
}

/* False where the interrupts do not arrive. */
static bool listen_all(struct refusal *why)
{
    const struct uart_tick_nmi nmi = { .handler = nmi_tick, .begin = restart, .stop = stop };
    const uint64_t longest = 2 * CHARACTERS_MAX * port.heard * port.character;
    const struct uart_tick_irq irq = { port.device.irq, port.heard };
    bool heard;

    listening = true;
    if (port.via_nmi)
        heard = uart_tick_nmi_listen(&port, &nmi, longest, why);
    else
        heard = uart_tick_listen(&irq, &source_slu_timeout, restart, longest) ||
                REFUSE_WITH(why, "the time-out interrupt of %1 does not arrive", REFUSAL_STRING(port.device.name));
    listening = false;
    return heard;
}

/* The time-out is the shortest that was seen, less the latency of the interrupt. */
static void measure(struct source_facts *f)
{
    uint64_t most = 0;

    port.period = UINT64_MAX;
    for (unsigned i = 0; i < port.heard; i++) {
        const uint64_t took = uart_tick_heard_at(i);

        port.period = took < port.period ? took : port.period;
        most = took > most ? took : most;
    }
    source_allow_jitter(f, most - port.period);
    port.period -= f->running.floor;
}

static bool detect_port(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    uint64_t milli;

    if (!uart_tick_detect(&port, c, CHARACTERS_USUAL, true, why) || !listen_all(why))
        return false;
    measure(f);
    characters = (port.period + port.character / 2) / port.character;
    milli = port.period * 1000 / port.character;
    if (characters < CHARACTERS_MIN || characters > CHARACTERS_MAX)
        return REFUSE_WITH(why, "a time-out of %1 takes %2 characters' time", REFUSAL_STRING(port.device.name),
                           REFUSAL_MILLI(milli));
    f->note = (struct refusal){ .reason = ", a time-out takes %1 characters' time", .arg = { REFUSAL_MILLI(milli) } };
    uart_tick_facts(f, &port, c, characters);
    return true;
}

/* Where this delivery cannot be had, what was found by the other one is kept. */
static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    const struct uart_tick before = port;
    const bool found = detect_port(f, c, why);

    if (!found)
        port = before;
    return found;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    return uart_tick_set_rate(f, &port, r, characters, why);
}

static uint32_t rate_of_line(void)
{
    return uart_tick_rate(characters);
}

struct source source_slu_timeout = {
    .name = "slu-timeout", .what = "UART in loopback, character time-out",
    .explicit_only = true, .rearmed = true, .vector = SOURCE_NO_VECTOR,
    .default_rate = rate_of_line, .detect = detect, .set_rate = set_rate, .start = start, .stop = stop,
    .interrupt = interrupt,
    .poll = poll, .report = report,
};
