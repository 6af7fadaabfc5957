/* SPDX-License-Identifier: MIT */
/*
 * The 8254 as tick source.  Counter 0 runs in mode 0 and is armed in the handler: no tick can
 * come before the handler of the last one has ended.  The counter counts on past zero, which
 * tells how late the handler is; the TSC tells the fraction of a count.
 */
#include "kernel/source/reference.h"
#include "kernel/source/source_pit.h"

#include "drivers/io.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/cpu/irq_vectors.h"
#include "kernel/source/nmi.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_record.h"

#define IRQ_PIT     0
#define NO_TICK     UINT64_MAX /* no tick has this lateness */
#define CHUNK       32768u /* counts; an interval of more than two of these is made of several one-shots */
#define PROOF_COUNT 1193u /* 1 ms */
#define PROOF_WAIT  100   /* each is waited for a 100th of a second */
#define AGREE_SLACK 3u     /* counts: the chip loads and latches at edges of its clock */

static uint64_t per_65536, slack;               /* by source_pit_set_clock(), as the next two */
static uint64_t timely;                         /* a lateness up to this needs no closer look */
static bool clock_trusted;
static uint64_t due;                            /* clock units; ISR only */
static uint64_t remaining;                      /* counts of an interval after this one-shot; ISR only */
static uint32_t chunk;                          /* counts of the one-shot; ISR only */
static uint64_t disagreements, early;           /* ISR only */
volatile uint64_t source_pit_fired;             /* legend in source_pit.h */
static volatile uint32_t fired_past;            /* the same */
static bool running;                            /* interrupts off */
static uint64_t proof_wait;                     /* clock units; before the probe runs */
static int32_t usual;                           /* counts behind of a tick in time; likewise */
static int32_t fast_limit = -1;                 /* the same while the next interrupt is a
                                                   tick, else -1: look closer; ISR only */

void source_pit_set_clock(uint64_t per, uint32_t behind, uint64_t late, bool trusted)
{
    per_65536 = per;
    usual = (int32_t)(behind + AGREE_SLACK);
    slack = (uint64_t)usual * per >> 16;
    timely = slack < late ? slack : late;
    clock_trusted = trusted;
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

uint64_t source_pit_early(void)
{
    return early;
}

uint64_t source_pit_disagreements(void)
{
    return disagreements;
}

/* The first one-shot of an interval: all of it, or a part of it, and `remaining` is the rest. */
static inline __attribute__((always_inline)) uint32_t first_chunk(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    if (counts > PIT_COUNT_MAX) {
        first = counts > 2 * CHUNK ? CHUNK : (uint32_t)(counts / 2);
        remaining = counts - first;
        fast_limit = -1;
    }
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
    return clock_trusted ? fine : coarse;
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
    fast_limit = -1;
    remaining = 0;
}

/* `fast_limit` while the next interrupt is a tick.  The fast path writes no log and takes no event. */
static int32_t fast_limit_of_account(void)
{
    return account_on > ACCOUNT_KEPT ? -1 : usual;
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
    fast_limit = fast_limit_of_account();
    pic_eoi_master(IRQ_PIT);
    arm(rest);
    account_tick_exit(cell);
}

/*
 * The interrupts that are no tick in time: a one-shot before the probe runs, a request that
 * came early, the end of a part of an interval, a late tick.  Returns the lateness of a tick,
 * else NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_irq(uint64_t now, uint32_t behind)
{
    const uint64_t fine = now - due;

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
    pic_eoi(IRQ_PIT);
    return NO_TICK;
}

/* Record the tick and arm the next interval. */
static inline __attribute__((always_inline)) void record_tick(const struct cpu_frame *f, uint64_t now,
                                                              uint64_t lateness, uint32_t accounted,
                                                              bool timely)
{
    uint64_t *const cell = account.cell;
    const uint64_t next = tick_record_as(&probe, f, now, lateness, accounted, timely);

    pic_eoi_master(IRQ_PIT);
    if (next != 0)
        arm(next);
    else
        disarm();
    if (accounted)
        account_tick_exit(cell);
}

static __attribute__((noinline)) void record_unusual(const struct cpu_frame *f, uint64_t now,
                                                     uint32_t behind)
{
    const uint64_t lateness = classify_irq(now, behind);

    if (lateness != NO_TICK)
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
    const uint32_t behind = pit_lateness();
    const uint64_t lateness = now - due;

    if ((int32_t)behind > fast_limit || lateness > timely)
        record_unusual(f, now, behind);
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
 * The same tick as an NMI: it needs no EOI, and no second one comes before its IRETQ.  The
 * counter tells whether the NMI is the tick.
 */
static __attribute__((flatten, optimize("Os"))) uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    const uint32_t behind = pit_lateness();
    struct probe_event e = { .sample.time = now, .lateness = now - due };
    uint64_t next = remaining;

    nmi_locate(f, &e);
    if (!running) {
        measure_nmi(now, behind);
        return now;
    }
    if ((int32_t)behind > fast_limit || e.lateness > slack) {
        if (is_before(e.lateness, behind)) {
            if ((int64_t)e.lateness < -(int64_t)(2 * per_65536 >> 16)) {
                nmi_count_stray();
                return now;
            }
            e.lateness = 0;
        } else {
            e.lateness = resolve_lateness(now, behind);
        }
    }
    remaining = 0;
    fast_limit = usual;
    if (next == 0)
        next = probe_tick_nmi(&probe, &e);
    if (next != 0)
        arm(next);
    else
        disarm();
    return probe_monitor_start(&probe, &e);
}

/* Fire one-shots; returns how many came as NMI. */
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

/* IRQ 0 ends at pin 2 where the MADT has the usual override, else at pin 0. */
static struct nmi_line line = {
    .irq = IRQ_PIT, .tries = 2, .tried = { 2, 0 }, .shots = PIT_PROOFS,
    .prove = fire_proofs, .handler = nmi_tick,
};

bool source_pit_route(struct nmi_proof *proof, uint64_t clock_hz)
{
    proof_wait = clock_hz / PROOF_WAIT;
    return nmi_route(&line, proof);
}

unsigned source_pit_tried(unsigned index)
{
    return line.tried[index];
}

/* The last one-shot can have left a request in the 8259, even while its line was masked: it is let in and ignored. */
static void stop(void)
{
    disarm();
    pit_init();
    pic_unmask(IRQ_PIT);
    cpu_take_pending();
    pic_mask(IRQ_PIT);
}

/* The owner is always `probe`, whose address the compiler knows: of two sources this is the first. */
static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)p;
    (void)f;
    pic_unmask(IRQ_PIT);
    running = true;
    fast_limit = fast_limit_of_account();
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
    fast_limit = usual;
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
    f->hz_milli = PIT_HZ_NOMINAL * 1000ull;
    f->clock_65536 = c->per_65536;
    return reference_has_pit(why);
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
