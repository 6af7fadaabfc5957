/* SPDX-License-Identifier: MIT */
/*
 * The 8254 as tick source.  Counter 0 runs in mode 0 and is armed in the handler: no tick can
 * come before the handler of the last one has ended.  The TSC tells how late the handler is.  The counter, which
 * counts on past zero, is read where the TSC calls a tick late or early, and in one tick of READ_EVERY: three port
 * accesses that other ticks do not make.
 */
#include "kernel/measure/reference.h"
#include "kernel/source/source_pit.h"

#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/cpu/irq_vectors.h"
#include "kernel/io/log.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/pit_plain_tick.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_record.h"

#define NO_TICK     UINT64_MAX /* no tick has this lateness */
#define CHUNK       32768u /* counts; an interval of more than two of these is made of several one-shots */
#define PROOF_COUNT 1193u /* 1 ms */
#define PROOF_WAIT  100   /* each is waited for a 100th of a second */
#define AGREE_SLACK 3u     /* counts: the chip loads and latches at edges of its clock */
#define SILENT      1193u  /* counts, 1 ms: a one-shot that is overdue by more may have lost its interrupt */

/*
 * One tick in so many reads the counter though the TSC calls it in time.  docs/ACCOUNTING.md, "Lateness by the TSC",
 * derives the number.
 */
#define READ_EVERY  64u

static uint64_t slack;                          /* by source_pit_set_clock(), as the next three */
static uint64_t timely;                         /* a lateness below this needs no closer look */
static int32_t usual;                           /* counts behind of a tick in time */
static bool clock_trusted;
static uint32_t read_at;                        /* the number of the interval before which a tick reads the counter; ISR only */
static uint64_t remaining;                      /* counts of an interval after this one-shot; ISR only */
static uint64_t disagreements, early, silent;   /* ISR only */
static uint64_t counts_q32;                     /* counts in a clock unit, 32.32; set with per_65536 */
static int64_t overdue;                         /* SILENT in clock units; set once, with per_65536 */
static uint64_t suspected;                      /* `due` of a one-shot that was overdue at the last look; ISR only */
static bool renewed;                            /* the one-shot was begun anew, and is as late as the TSC says; ISR only */
volatile uint64_t source_pit_fired;             /* legend in source_pit.h */
static volatile uint32_t fired_past;            /* the same */
static bool running;                            /* interrupts off */
static uint64_t proof_wait;                     /* clock units; before the probe runs */

void source_pit_set_clock(const struct source_pit_clock *c)
{
    pit_tick.per_65536 = c->per_65536;
    counts_q32 = c->per_65536 != 0 ? (1ull << 48) / c->per_65536 : 0; /* 0: the TSC did not run */
    overdue = (int64_t)(SILENT * c->per_65536 >> 16);
    usual = (int32_t)(c->behind + AGREE_SLACK);
    slack = (uint64_t)usual * pit_tick.per_65536 >> 16;
    timely = (slack < c->late ? slack : c->late) + 1;
    clock_trusted = c->invariant && !c->stops;
    pit_tick.longest = 0;
    if (c->stops)
        return;
    pit_tick.longest = PIT_COUNT_MAX;
    if (c->error_ppm != 0 && slack * 1000000 / c->error_ppm < PIT_COUNT_MAX * pit_tick.per_65536 >> 16)
        pit_tick.longest = (uint32_t)((slack * 1000000 / c->error_ppm << 16) / pit_tick.per_65536);
}

uint64_t source_pit_arm_once(uint32_t count)
{
    source_pit_fired = 0;
    pit_tick.part = count;
    pit_arm(count);
    return rdtsc();
}

uint32_t source_pit_fired_past(void)
{
    return fired_past;
}

/* Counts of the one-shot. */
static uint32_t one_shot_counts(void)
{
    return pit_tick.part != 0 ? pit_tick.part : (uint32_t)probe.queue.last;
}

uint64_t source_pit_arm_to_exit(void)
{
    const uint64_t exited = probe.via_nmi ? nmi_exit_time() : account.last;

    return exited - (pit_tick.due - (one_shot_counts() * pit_tick.per_65536 >> 16));
}

bool source_pit_by_tsc(unsigned *read_every)
{
    *read_every = READ_EVERY;
    return pit_tick.longest != 0;
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

    pit_tick.limit = 0;
    if (counts > PIT_COUNT_MAX) {
        first = counts > 2 * CHUNK ? CHUNK : (uint32_t)(counts / 2);
        remaining = counts - first;
        pit_tick.part = first;
    }
    return first;
}

/* The first one-shot of an interval: all of it, or a part. */
static inline __attribute__((always_inline)) uint32_t first_chunk(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    pit_tick.part = 0;
    if (counts > pit_tick.longest)
        first = long_chunk(counts);
    return first;
}

static inline __attribute__((always_inline)) void arm(uint64_t counts)
{
    const uint32_t first = first_chunk(counts);

    pit_arm(first);
    pit_tick.due = rdtsc() + (first * pit_tick.per_65536 >> 16);
}

/*
 * What follows a part of an interval is shorter by what has gone since that part's end, or the tick would come later and
 * not be late.  Where nothing is left, only the TSC tells how late the tick is.  A usual tick would leave `part` as it is.
 */
static void arm_part(uint64_t rest)
{
    const int64_t since = (int64_t)(rdtsc() - pit_tick.due);
    const uint64_t gone = since > 0 ? (uint64_t)since * counts_q32 >> 32 : 0; /* a tick does not divide */
    const uint64_t left = gone < rest ? rest - gone : 1;

    arm(left);
    pit_tick.due -= (left + gone - rest) * pit_tick.per_65536 >> 16;
    renewed = gone >= rest;
    if (pit_tick.part == 0)
        pit_tick.part = (uint32_t)left;
    pit_tick.limit = 0;
}

/*
 * The tick is late by the counter, by more than the edges of its clock explain, or by the
 * TSC.  Where the two disagree by more than `slack`, one is chosen.
 */
static __attribute__((noinline)) uint64_t resolve_lateness(uint64_t now, uint32_t behind)
{
    const uint64_t since = rdtsc() - now; /* the counter was read at most so much after the TSC */
    uint64_t fine = now - pit_tick.due, coarse = behind * pit_tick.per_65536 >> 16;

    coarse = coarse > since ? coarse - since : 0;
    if ((int64_t)fine < 0)
        fine = 0;
    if (coarse - fine + slack <= 2 * slack)
        return fine;
    disagreements++;
    if (clock_trusted)
        return fine;
    pit_tick.longest = 0; /* the counter tells it in each tick from here on */
    return coarse;
}

/* The counter is still above zero: from 1 to what it was set to. */
static inline bool is_counting(uint32_t behind)
{
    return (-behind & 0xffff) - 1 < one_shot_counts();
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
    pit_tick.limit = 0;
    remaining = 0;
}

/* Whether a tick can be usual, as the monitors, the account and the end of interrupt are that are in force. */
static inline bool can_be_usual(void)
{
    return probe.system_only && account_on <= ACCOUNT_KEPT && (probe.via_nmi || pic_automatic);
}

/*
 * Say which ticks are usual from the next one on.  Those write no log, take no event and end no interrupt; and PROBE may
 * draw more intervals than it has by now.  Before the next one-shot is armed, which may be none that ends in a usual tick,
 * and after its interval was taken: a tick that finds none waiting draws it, and passes what `until` would be before.
 */
static void expect_usual(void)
{
    const uint32_t taken = probe.queue.taken, waiting = probe.queue.drawn - taken;
    const int32_t unread = (int32_t)(read_at - taken);

    if (!can_be_usual()) {
        pit_plain_irq = pit_plain_as_nmi = pit_plain_never;
        return;
    }
    pit_tick.until = taken + (unread <= 0 ? 0 : waiting < (uint32_t)unread ? waiting : (uint32_t)unread);
    pit_tick.limit = timely;
    if (probe.via_nmi)
        pit_plain_as_nmi = pit_plain_nmi;
    else
        pit_plain_irq = account_on == ACCOUNT_OFF ? pit_plain_counted : pit_plain_accounted;
}

/* A part of an interval is over: no tick.  The handler's time goes to MONITOR. */
static void arm_rest(uint64_t now, uint64_t *cell)
{
    const uint64_t rest = remaining;
    const struct probe_event e = {
        .sample.time = now, .lateness = now - pit_tick.due, .halted = current->id == ROW_IDLE,
    };

    tick_enter(&probe, &e, account_on);
    remaining = 0;
    expect_usual();
    pic_eoi_master(PIT_IRQ);
    arm_part(rest);
    account_tick_exit(cell);
}

/* Whether the TSC alone tells the lateness of this tick, `fine`. */
static inline bool is_told_by_tsc(uint64_t fine)
{
    return (int32_t)(read_at - probe.queue.taken) > 0 && fine < timely && one_shot_counts() <= pit_tick.longest;
}

/* Whether the counter must tell it.  Once for each that is not a usual one. */
static bool must_read(uint64_t fine)
{
    if (is_told_by_tsc(fine))
        return false;
    read_at = probe.queue.taken + READ_EVERY;
    return true;
}

/*
 * The interrupts that are no tick in time: a one-shot before the probe runs, a request that
 * came early, the end of a part of an interval, a late tick.  Returns the lateness of a tick,
 * else NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_irq(uint64_t now)
{
    const uint64_t fine = now - pit_tick.due;
    uint32_t behind;

    if (now >= timer_watch) /* the tick's own entry does not: kernel/trap/dispatch.c */
        timer_look(now, false);
    if (running && remaining == 0 && (renewed || !must_read(fine))) {
        renewed = false;
        return fine;
    }
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
    pic_eoi_master(PIT_IRQ);
    return NO_TICK;
}

/* Flattened: all that is not marked noinline becomes one straight handler. */
__attribute__((flatten)) void source_pit_interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    uint64_t lateness = now - pit_tick.due, next;

    if (!running || remaining != 0 || renewed || !is_told_by_tsc(lateness)) {
        lateness = classify_irq(now);
        if (lateness == NO_TICK)
            return;
    }
    next = tick_record(&probe, f, now, lateness);
    expect_usual();
    pic_eoi_master(PIT_IRQ);
    if (next != 0)
        arm(next);
    else
        disarm();
    if (account_on)
        account_tick_exit(cell);
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
    const uint64_t fine = now - pit_tick.due;

    if (!running) {
        measure_nmi(now, behind);
        return NO_TICK;
    }
    if ((int32_t)behind <= usual && fine <= slack)
        return fine;
    if (!is_before(fine, behind))
        return resolve_lateness(now, behind);
    if ((int64_t)fine >= -(int64_t)(2 * pit_tick.per_65536 >> 16))
        return 0;
    nmi_count_stray();
    return NO_TICK;
}

/*
 * The same tick as an NMI: it needs no EOI, and no second one comes before its IRETQ.  An NMI of another device that
 * comes while this one is due, up to `timely` before it, is taken for it; the tick itself then comes early by the
 * TSC and counts as a stray.
 */
static __attribute__((flatten)) uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now, .lateness = now - pit_tick.due };
    const uint64_t rest = remaining;
    uint64_t next = 0;

    if (!running || remaining != 0 || (!renewed && must_read(e.lateness))) {
        e.lateness = classify_nmi(now);
        if (e.lateness == NO_TICK)
            return now;
    }
    nmi_locate(f, &e);
    renewed = false;
    remaining = 0;
    if (rest == 0)
        next = probe_tick_nmi(&probe, &e);
    expect_usual();
    if (rest != 0)
        arm_part(rest);
    else if (next != 0)
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

/* IRQ 0 ends at pin 2 where the MADT has the usual override, else at pin 0. */
static struct nmi_line line = {
    .irq = PIT_IRQ, .tries = 2, .tried = { 2, 0 }, .shots = PIT_PROOFS, .prove = fire_proofs, .handler = nmi_tick,
};

unsigned source_pit_tried(unsigned index)
{
    return line.tried[index];
}

bool source_pit_route(struct nmi_proof *proof, uint64_t clock_hz)
{
    proof_wait = clock_hz / PROOF_WAIT;
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
    read_at = probe.queue.taken;
    expect_usual();
    arm(first);
}

/*
 * CLI does not mask an NMI: the pin is masked while task code uses the PIT's ports, and as
 * soon as the count is written the handler may have set `due`.
 */
static void stop_nmi(void)
{
    nmi_close(&line);
    pit_plain_as_nmi = pit_plain_never;
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
    read_at = probe.queue.taken;
    expect_usual();
    count = first_chunk(first);
    clocks = count * pit_tick.per_65536 >> 16;
    before = rdtsc() + clocks;
    pit_tick.due = before;
    running = true;
    __asm__ volatile("" : : : "memory");
    pit_arm(count);
    __atomic_compare_exchange_n(&pit_tick.due, &before, rdtsc() + clocks, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
}

/* Whether the one-shot is overdue now and was at the last tick of the system clock.  Interrupts off. */
static bool is_overdue_again(uint64_t now)
{
    const uint64_t due = pit_tick.due;
    bool again;

    if ((int64_t)(now - due) < overdue || !running)
        return false;
    again = due == suspected;
    suspected = due;
    return again;
}

/* The chain of one-shots goes on: the tick that follows is late since the one that was lost was due. */
static void begin_anew(void)
{
    silent++;
    renewed = true;
    pit_tick.part = 1;
    pit_arm(1);
}

/* A request that waits for interrupts to be let in is not lost. */
static void poll(uint64_t now)
{
    if (is_overdue_again(now) && !pic_is_requested(PIT_IRQ))
        begin_anew();
}

/* No handler may use the ports meanwhile.  An edge that the pin forgets then is found in the same way. */
static void poll_nmi(uint64_t now)
{
    if (!is_overdue_again(now))
        return;
    nmi_close(&line);
    if (suspected == pit_tick.due) {
        nmi_open(&line);
        begin_anew();
    } else {
        nmi_open(&line);
    }
}

static void report(void)
{
    if (silent != 0)
        log_line(LOG_WARNING, "one-shots of the 8254 whose interrupt was lost and that were begun anew: ", DECIMAL(silent),
                 "; their ticks count as late");
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
    .interrupt = source_pit_interrupt, .poll = poll, .report = report,
};

const struct source source_pit_nmi = {
    .name = "pit", .what = "8254 as NMI, one-shot, armed in the handler",
    .variable = true, .precalibrated = true, .detect = detect, .set_rate = set_rate, .start = start_nmi, .stop = stop_nmi,
    .poll = poll_nmi, .report = report,
};
