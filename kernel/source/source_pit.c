/* SPDX-License-Identifier: MIT */
/*
 * The 8254 as tick source.  Counter 0 runs in mode 0 and is armed in the handler: no tick can
 * come before the handler of the last one has ended.  The TSC tells how late the handler is.  The counter, which
 * counts on past zero, is read where the TSC calls a tick late or early, and in one tick of READ_EVERY: three port
 * accesses that other ticks do not make.
 */
#include "kernel/source/source_pit.h"

#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/cpu/irq_vectors.h"
#include "kernel/source/nmi.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_record.h"

#define NO_TICK     UINT64_MAX /* no tick has this lateness */
#define CHUNK       32768u /* counts; an interval of more than two of these is made of several one-shots */
#define PROOF_COUNT 1193u /* 1 ms */
#define PROOF_WAIT  100   /* each is waited for a 100th of a second */
#define AGREE_SLACK 3u     /* counts: the chip loads and latches at edges of its clock */

/*
 * One tick in so many reads the counter though the TSC calls it in time.  docs/ACCOUNTING.md, "Lateness by the TSC",
 * derives the number.
 */
#define READ_EVERY  64u

static uint64_t per_65536, slack;               /* by source_pit_set_clock(), as the next four */
static uint64_t timely;                         /* a lateness below this needs no closer look */
static int32_t usual;                           /* counts behind of a tick in time */
static bool clock_trusted;
static uint32_t longest_by_tsc;                 /* counts of the longest one-shot whose lateness the TSC tells; and ISR */
static uint64_t limit;                          /* a lateness below this is a tick in time; 0: look closer; ISR only */
static uint32_t until_read = READ_EVERY;        /* ticks until one reads the counter, with it; ISR only */
static uint64_t due;                            /* clock units; ISR only */
static uint64_t remaining;                      /* counts of an interval after this one-shot; ISR only */
static uint32_t chunk;                          /* counts of the one-shot; ISR only */
static uint64_t disagreements, early;           /* ISR only */
volatile uint64_t source_pit_fired;             /* legend in source_pit.h */
static volatile uint32_t fired_past;            /* the same */
static bool running;                            /* interrupts off */
static uint64_t proof_wait;                     /* clock units; before the probe runs */

void source_pit_set_clock(const struct source_pit_clock *c)
{
    per_65536 = c->per_65536;
    usual = (int32_t)(c->behind + AGREE_SLACK);
    slack = (uint64_t)usual * per_65536 >> 16;
    timely = (slack < c->late ? slack : c->late) + 1;
    clock_trusted = c->invariant && !c->stops;
    longest_by_tsc = 0;
    if (c->stops)
        return;
    longest_by_tsc = PIT_COUNT_MAX;
    if (c->error_ppm != 0 && slack * 1000000 / c->error_ppm < PIT_COUNT_MAX * per_65536 >> 16)
        longest_by_tsc = (uint32_t)((slack * 1000000 / c->error_ppm << 16) / per_65536);
}

uint64_t source_pit_arm_once(uint32_t count)
{
    source_pit_fired = 0;
    chunk = count;
    pit_arm(count);
    return rdtsc();
}

uint32_t source_pit_fired_past(void)
{
    return fired_past;
}

uint64_t source_pit_arm_to_exit(void)
{
    const uint64_t exited = probe.via_nmi ? nmi_exit_time() : account.last;

    return exited - (due - (chunk * per_65536 >> 16));
}

bool source_pit_by_tsc(unsigned *read_every)
{
    *read_every = READ_EVERY;
    return longest_by_tsc != 0;
}

uint64_t source_pit_early(void)
{
    return early;
}

uint64_t source_pit_disagreements(void)
{
    return disagreements;
}

/* A part of an interval that is too long for one one-shot, and `remaining` is the rest; or one that the TSC does not judge. */
static __attribute__((noinline)) uint32_t long_chunk(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    limit = 0;
    if (counts > PIT_COUNT_MAX) {
        first = counts > 2 * CHUNK ? CHUNK : (uint32_t)(counts / 2);
        remaining = counts - first;
    }
    return first;
}

/* The first one-shot of an interval: all of it, or a part. */
static inline __attribute__((always_inline)) uint32_t first_chunk(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    if (counts > longest_by_tsc)
        first = long_chunk(counts);
    chunk = first;
    return first;
}

static inline __attribute__((always_inline)) void arm(uint64_t counts)
{
    const uint32_t first = first_chunk(counts);

    pit_arm(first);
    due = rdtsc() + (first * per_65536 >> 16);
}

/*
 * The tick is late by the counter, by more than the edges of its clock explain, or by the
 * TSC.  Where the two disagree by more than `slack`, one is chosen.
 */
static __attribute__((noinline)) uint64_t resolve_lateness(uint64_t now, uint32_t behind)
{
    const uint64_t since = rdtsc() - now; /* the counter was read at most so much after the TSC */
    uint64_t fine = now - due, coarse = behind * per_65536 >> 16;

    coarse = coarse > since ? coarse - since : 0;
    if ((int64_t)fine < 0)
        fine = 0;
    if (coarse - fine + slack <= 2 * slack)
        return fine;
    disagreements++;
    if (clock_trusted)
        return fine;
    longest_by_tsc = 0; /* the counter tells it in each tick from here on */
    return coarse;
}

/* The counter is still above zero: from 1 to what it was set to. */
static inline bool is_counting(uint32_t behind)
{
    return (-behind & 0xffff) - 1 < chunk;
}

/*
 * An IRQ 0 before the one-shot has ended: reprogramming left a request in the 8259, or it is
 * spurious.  Both the counter and the TSC must say so.  The TSC alone would not do: an NMI or
 * SMI between the arming and the reading that `due` is computed from makes `due` too late, and
 * a one-shot that has ended interrupts only once.
 */
static bool is_early(uint64_t fine, uint32_t behind)
{
    return (int64_t)fine < -(int64_t)slack && is_counting(behind);
}

/*
 * The counter is above zero, and by the TSC it did not wrap.  In the last two counts this can
 * still be the tick, as some chips show it; before that the NMI is another device's.
 */
static inline bool is_before(uint64_t fine, uint32_t behind)
{
    return is_counting(behind) && (int64_t)fine < (int64_t)slack;
}

static void disarm(void)
{
    running = false;
    limit = 0;
    remaining = 0;
}

/* `limit` while the next interrupt is a tick.  The fast path writes no log, takes no event and knows no 8259. */
static uint64_t usual_limit(void)
{
    return account_on > ACCOUNT_KEPT || !pit_line_direct ? 0 : timely;
}

/* A part of an interval is over: no tick.  The handler's time goes to MONITOR. */
static void arm_rest(uint64_t now, uint64_t *cell)
{
    const uint64_t rest = remaining;
    const struct probe_event e = {
        .sample.time = now, .lateness = now - due, .halted = current->id == ROW_IDLE,
    };

    tick_enter(&probe, &e, account_on);
    remaining = 0;
    limit = usual_limit();
    pit_line_end();
    arm(rest);
    account_tick_exit(cell);
}

/* Whether the counter must tell the lateness of this tick.  Once for each that the fast path has not taken. */
static bool must_read(uint64_t fine)
{
    if (until_read != 0)
        until_read--;
    if (until_read != 0 && fine < timely && chunk <= longest_by_tsc)
        return false;
    if (until_read == 0)
        until_read = READ_EVERY;
    return true;
}

/*
 * The interrupts that are no tick in time: a one-shot before the probe runs, a request that
 * came early, the end of a part of an interval, a late tick.  Returns the lateness of a tick,
 * else NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_irq(uint64_t now)
{
    const uint64_t fine = now - due;
    uint32_t behind;

    if (running && remaining == 0 && !must_read(fine))
        return fine;
    behind = pit_lateness();
    if (!running) {
        source_pit_fired = now;
        fired_past = behind;
    } else if (is_early(fine, behind)) {
        early++;
    } else if (remaining != 0) {
        arm_rest(now, account.cell);
        return NO_TICK;
    } else {
        return resolve_lateness(now, behind);
    }
    pit_line_end();
    return NO_TICK;
}

/* Record the tick and arm the next interval. */
static inline __attribute__((always_inline)) void record_tick(const struct cpu_frame *f, uint64_t now,
                                                              uint64_t lateness, uint32_t accounted,
                                                              bool timely)
{
    uint64_t *const cell = account.cell;
    const uint64_t next = tick_record_as(&probe, f, now, lateness, accounted, timely);

    if (timely)
        lapic_eoi();
    else
        pit_line_end();
    if (next != 0)
        arm(next);
    else
        disarm();
    if (accounted)
        account_tick_exit(cell);
}

static __attribute__((noinline)) void record_unusual(const struct cpu_frame *f, uint64_t now)
{
    const uint64_t lateness = classify_irq(now);

    if (lateness == NO_TICK)
        return;
    limit = usual_limit();
    record_tick(f, now, lateness, account_on, false);
}

/* Out of line: the registers that it needs would have to be saved in every tick. */
static __attribute__((noinline, flatten, optimize("Os"))) void
record_tick_accounted(const struct cpu_frame *f, uint64_t now, uint64_t lateness)
{
    record_tick(f, now, lateness, ACCOUNT_KEPT, true);
}

/*
 * Flattened: all that is not marked noinline becomes one straight handler.  Optimized for
 * size, because here the shorter code runs fewer instructions (make bench counts them).
 */
__attribute__((flatten, optimize("Os"))) void source_pit_interrupt(const struct cpu_frame *f, uint64_t now)
{
    const uint64_t lateness = now - due;

    if (lateness >= limit || --until_read == 0)
        record_unusual(f, now);
    else if (account_on)
        record_tick_accounted(f, now, lateness);
    else
        record_tick(f, now, lateness, ACCOUNT_OFF, true);
}

/* An NMI while one-shots are measured.  It is another's where the counter stands well above zero: see is_before(). */
static __attribute__((noinline)) void measure_nmi(uint64_t now, uint32_t behind)
{
    if (is_counting(behind) && (-behind & 0xffff) > 2) {
        nmi_count_stray();
        return;
    }
    source_pit_fired = now;
    fired_past = behind;
}

/*
 * An NMI that the TSC does not call a tick in time, or one in READ_EVERY: the counter tells whether it is ours.
 * Returns its lateness, or NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_nmi(uint64_t now)
{
    const uint32_t behind = pit_lateness();
    const uint64_t fine = now - due;

    until_read = READ_EVERY;
    if (!running) {
        measure_nmi(now, behind);
        return NO_TICK;
    }
    if ((int32_t)behind <= usual && fine <= slack)
        return fine;
    if (!is_before(fine, behind))
        return resolve_lateness(now, behind);
    if ((int64_t)fine >= -(int64_t)(2 * per_65536 >> 16))
        return 0;
    nmi_count_stray();
    return NO_TICK;
}

/*
 * The same tick as an NMI: it needs no EOI, and no second one comes before its IRETQ.  An NMI of another device that
 * comes while this one is due, up to `timely` before it, is taken for it; the tick itself then comes early by the
 * TSC and counts as a stray.
 */
static __attribute__((flatten, optimize("Os"))) uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now, .lateness = now - due };
    uint64_t next = remaining;

    if (e.lateness >= limit || --until_read == 0) {
        e.lateness = classify_nmi(now);
        if (e.lateness == NO_TICK)
            return now;
    }
    nmi_locate(f, &e);
    remaining = 0;
    limit = timely;
    if (next == 0)
        next = probe_tick_nmi(&probe, &e);
    if (next != 0)
        arm(next);
    else
        disarm();
    return probe_monitor_start(&probe, &e);
}

/* Fire one-shots; returns how many came. */
static unsigned fire_proofs(void)
{
    unsigned arrived = 0;

    for (unsigned i = 0; i < PIT_PROOFS; i++) {
        const uint64_t begin = source_pit_arm_once(PROOF_COUNT);

        while (source_pit_fired == 0 && rdtsc() - begin < proof_wait)
            continue;
        arrived += source_pit_fired != 0;
    }
    return arrived;
}

static unsigned fire_irq_proofs(void)
{
    unsigned arrived;

    cpu_interrupts_on();
    arrived = fire_proofs();
    cpu_interrupts_off();
    return arrived;
}

void source_pit_choose_line(uint64_t clock_hz)
{
    proof_wait = clock_hz / PROOF_WAIT;
    pit_line_choose(fire_irq_proofs);
}

static struct nmi_line line = {
    .irq = PIT_IRQ, .tries = NMI_PINS, .shots = PIT_PROOFS, .prove = fire_proofs, .handler = nmi_tick,
};

bool source_pit_route(struct nmi_proof *proof, uint64_t clock_hz)
{
    proof_wait = clock_hz / PROOF_WAIT;
    for (unsigned i = 0; i < NMI_PINS; i++)
        line.tried[i] = pit_pins[i];
    return nmi_route(&line, proof);
}

static void stop(void)
{
    disarm();
    pit_init();
    pit_line_close();
}

/* The owner is always `probe`, whose address the compiler knows: of two sources this is the first. */
static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)p;
    (void)f;
    pit_line_open();
    running = true;
    limit = usual_limit();
    arm(first);
}

/*
 * CLI does not mask an NMI: the pin is masked while task code uses the PIT's ports, and as
 * soon as the count is written the handler may have set `due`.
 */
static void stop_nmi(void)
{
    nmi_close(&line);
    disarm();
    pit_init();
}

static void start_nmi(struct probe *p, const struct source_facts *f, uint64_t first)
{
    uint64_t before, clocks;
    uint32_t count;

    (void)p;
    (void)f;
    nmi_open(&line);
    limit = timely;
    count = first_chunk(first);
    clocks = count * per_65536 >> 16;
    before = rdtsc() + clocks;
    due = before;
    running = true;
    __asm__ volatile("" : : : "memory");
    pit_arm(count);
    __atomic_compare_exchange_n(&due, &before, rdtsc() + clocks, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    (void)why;
    f->hz_milli = PIT_HZ_NOMINAL * 1000ull;
    f->clock_65536 = c->per_65536;
    return true; /* calibration has seen it count and interrupt */
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    (void)why;
    f->mean = ((uint64_t)PIT_HZ_NOMINAL << 16) / r->rate;
    return true;
}

const struct source source_pit = {
    .name = "pit", .what = "8254, one-shot, armed in the handler",
    .variable = true, .precalibrated = true, .vector = TICK_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop,
    .interrupt = source_pit_interrupt,
};

const struct source source_pit_nmi = {
    .name = "pit", .what = "8254 as NMI, one-shot, armed in the handler",
    .variable = true, .precalibrated = true, .detect = detect, .set_rate = set_rate, .start = start_nmi, .stop = stop_nmi,
};
