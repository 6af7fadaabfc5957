/* SPDX-License-Identifier: MIT */
/*
 * Makes the 8254 a tick source.  Counter 0 runs in mode 0 and is armed in the handler: no tick can
 * come before the handler of the last one has ended.  The TSC tells how late the handler is.  The counter, which
 * counts on past zero, is read where the TSC calls a tick late or early, and in one tick of READ_EVERY: three port
 * accesses that other ticks do not make.
 */
#include "kernel/measure/one_shot.h"
#include "kernel/source/source_pit.h"

#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/log.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/nmi_state.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/source.h"
#include "kernel/source/straight/pit_plain_tick.h"
#include "kernel/source/tick_record.h"
#include "probe/core/one_shot_way.h"

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

volatile uint64_t source_pit_fired; /* legend in source_pit.h */

static struct {
    /* Set by source_pit_set_clock(). */
    uint64_t slack;         /* clock units by which counter and TSC may disagree */
    uint64_t timely;        /* a lateness below this needs no closer look */
    struct one_shot_way to; /* a one-shot whose end the TSC tells */
    uint64_t way, length;   /* source_pit_set_way() */
    uint64_t least;         /* from an entry to the soonest point that a usual tick can arm, clock units */
    int64_t overdue;        /* SILENT in clock units */
    int32_t usual;          /* counts behind of a tick in time */
    bool trusted;           /* the TSC decides where it and the counter disagree */
    bool by_tsc;            /* the TSC tells the lateness; false: the counter in each tick */
    /* Interrupts off, and the handler's. */
    volatile uint32_t fired_past;
    bool running;
    pit_plain_handler *straight; /* for ticks of this run that are usual; pit_plain_never: none is */
    bool piece;             /* it ends before the tick is due: at `target`, or after `remaining` counts */
    uint64_t target;        /* clock units */
    uint64_t remaining;     /* counts of an interval after this one-shot, where ticks have no points */
    uint32_t read_at;       /* the number of the point before which a tick reads the counter */
    uint64_t suspected;     /* `due` of a one-shot that was overdue at the last look */
    uint64_t renewed;       /* `due` of the last one-shot that was begun anew, and is as late as the TSC says */
    uint64_t disagreements, early, silent;
    uint64_t proof_wait;    /* clock units; before the probe runs */
} pit;

static uint64_t clocks_of(uint64_t counts)
{
    return counts * pit_tick.per_65536 >> 16;
}

void source_pit_set_clock(const struct source_pit_clock *c)
{
    pit_tick.per_65536 = c->per_65536;
    /* 0: the TSC did not run */
    pit_tick.counts_in_clock = c->per_65536 != 0 ? (1ull << (PIT_COUNTS_SHIFT + 16)) / c->per_65536 : 0;
    pit.overdue = (int64_t)clocks_of(SILENT);
    pit.usual = (int32_t)(c->behind + AGREE_SLACK);
    pit.slack = clocks_of((uint32_t)pit.usual);
    pit.timely = (pit.slack < c->late ? pit.slack : c->late) + 1;
    pit.trusted = c->invariant && !c->stops;
    pit.by_tsc = !c->stops;
    one_shot_way_set(&pit.to, (c->per_65536 >> 16) + 1, c->longest, clocks_of(PIT_COUNT_MAX - 1));
}

uint64_t source_pit_exit_cost(void)
{
    return probe.via_nmi ? nmi_state.plain_exit_cost : pit_plain_exit_cost;
}

void source_pit_set_way(uint64_t way, uint64_t usual)
{
    pit.way = way - pit.to.count / 2;
    pit.length = usual;
    /* half a count before, it is over, and a one-shot has a count */
    pit.least = (usual > way ? usual : way) + (pit.to.count + 1) / 2;
    pit_tick.span = pit.to.longest > pit.least ? pit.to.longest - pit.least : 0;
}

uint64_t source_pit_arm_once(uint32_t count)
{
    source_pit_fired = 0;
    pit_tick.counts = count;
    pit_arm(count);
    return rdtsc();
}

uint32_t source_pit_fired_past(void)
{
    return pit.fired_past;
}

uint64_t source_pit_arm_to_exit(void)
{
    const uint64_t exited = probe.via_nmi ? nmi_exit_time() : account.last;

    return exited - (pit_tick.due - clocks_of(pit_tick.counts));
}

bool source_pit_by_tsc(unsigned *read_every)
{
    *read_every = READ_EVERY;
    return pit.by_tsc;
}

uint64_t source_pit_early(void)
{
    return pit.early;
}

uint64_t source_pit_disagreements(void)
{
    return pit.disagreements;
}

/* ---- arming ---- */

/* Returns the clock at which the one-shot began. */
static inline uint64_t arm_counts(uint32_t counts)
{
    uint64_t began;

    pit_arm(counts);
    began = rdtsc();
    pit_tick.counts = counts;
    pit_tick.due = began + clocks_of(counts);
    return began;
}

/* An interval that is too long for one one-shot is made of pieces, and no piece is short. */
static uint32_t first_piece(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    pit.piece = counts > PIT_COUNT_MAX;
    if (pit.piece) {
        first = counts > 2 * CHUNK ? CHUNK : (uint32_t)(counts / 2);
        pit.remaining = counts - first;
    }
    return first;
}

/* Counts to `time`, or of a piece of the way there. */
static uint32_t counts_until(uint64_t time, uint64_t now)
{
    const uint64_t left = one_shot_way_to(&pit.to, time, now, probe.exit, &pit.piece);
    const uint64_t counts = left * pit_tick.counts_in_clock >> PIT_COUNTS_SHIFT;

    pit.target = time;
    return counts != 0 ? (uint32_t)counts : 1; /* the TSC may stand */
}

/* What is left of an interval whose piece ended, to a time: at least one count. */
static uint64_t counts_left(uint64_t time)
{
    const uint64_t left = time - rdtsc();

    if ((int64_t)left <= 0 || left >= clocks_of(pit.remaining))
        return 1;
    return (uint64_t)(((unsigned __int128)left * pit_tick.counts_in_clock + (1ull << (PIT_COUNTS_SHIFT - 1))) >>
                      PIT_COUNTS_SHIFT) + 1;
}

static void arm_for(uint64_t time)
{
    const uint64_t now = rdtsc();

    one_shot_way_began(&pit.to, now, arm_counts(counts_until(time, now)));
}

/* Arm for what the probe returned: a time, or an interval. */
static inline void arm(uint64_t next)
{
    if (probe.relative)
        arm_counts(first_piece(next));
    else
        arm_for(next);
}

/*
 * A piece of the way is over.  Where it ended in a section with interrupts off, the time may have passed: the tick is
 * as late as that, which only the TSC tells.
 */
static void arm_rest(void)
{
    const uint64_t time = probe.relative ? pit_tick.due + clocks_of(pit.remaining) : pit.target;

    if (probe.relative)
        arm_counts(first_piece(counts_left(time)));
    else
        arm_for(time);
    if ((int64_t)(time - rdtsc()) < 0 && !pit.piece)
        pit_tick.due = pit.renewed = time;
}

static void disarm(void)
{
    pit.running = pit.piece = false;
    pit_tick.limit = 0;
}

/* ---- which tick is usual ---- */

/* As the monitors, the schedule and the end of interrupt are, which stay as they are while ticks come. */
static pit_plain_handler *straight_handler(void)
{
    if (!probe.system_only || probe.relative || !(probe.via_nmi || pic_automatic))
        return pit_plain_never;
    if (probe.via_nmi)
        return pit_plain_nmi;
    return account_on == ACCOUNT_OFF ? pit_plain_counted : pit_plain_accounted;
}

/* The points that a usual tick takes count from the window's begin. */
static void begin_ticks(void)
{
    pit.straight = straight_handler();
    pit_plain_irq = pit_plain_as_nmi = pit_plain_never;
    pit.read_at = probe.queue.taken;
    pit_tick.way = pit.way - probe.queue.origin;
    pit_tick.least = pit.least - probe.queue.origin;
    pit_tick.limit = pit.timely;
}

/* Numbers of points, modulo 2^32. */
static inline uint32_t sooner(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0 ? a : b;
}

/*
 * Say which ticks are usual from the next one on.  Those write no log, take no event, end no interrupt and close no
 * window; and PROBE may draw more points than it has by now.  After the next one-shot is armed.
 */
static inline void expect_usual(pit_plain_handler **handler)
{
    const uint32_t taken = probe.queue.taken, until = sooner(sooner(probe.queue.drawn, pit.read_at), probe.look);

    if (pit.straight == pit_plain_never)
        return;
    probe.until = (int32_t)(until - taken) > 0 ? until : taken;
    *handler = pit.piece || !pit.by_tsc || account_on > ACCOUNT_KEPT ? pit_plain_never : pit.straight;
}

/*
 * As NMI: what was expected holds on, since more points are drawn,
 * and the counter is read and the goal reached no sooner.
 */
static inline void expect_still(void)
{
    if (pit.straight != pit_plain_never &&
        (pit_plain_as_nmi == pit_plain_never || (int32_t)(probe.until - probe.queue.taken) <= 0 || pit.piece ||
         !pit.by_tsc))
        expect_usual(&pit_plain_as_nmi);
}

/*
 * Before its tick is counted: a usual handler left this one, which is in time, to the longer one,
 * since a point is close.
 */
static inline void note_usual(pit_plain_handler *usual, uint64_t lateness)
{
    probe.usual = usual != pit_plain_never && lateness < pit_tick.limit && probe.queue.taken != probe.until
                      ? pit.length : 0;
}

/* ---- what an interrupt is ---- */

/*
 * The tick is late by the counter, by more than the edges of its clock explain, or by the
 * TSC.  Where the two disagree by more than `slack`, one is chosen.
 */
static __attribute__((noinline)) uint64_t resolve_lateness(uint64_t now, uint32_t behind)
{
    const uint64_t since = rdtsc() - now; /* the counter was read at most so much after the TSC */
    uint64_t fine = now - pit_tick.due, coarse = clocks_of(behind);

    coarse = coarse > since ? coarse - since : 0;
    if ((int64_t)fine < 0)
        fine = 0;
    if (coarse - fine + pit.slack <= 2 * pit.slack)
        return fine;
    pit.disagreements++;
    if (pit.trusted)
        return fine;
    pit.by_tsc = false; /* the counter tells it in each tick from here on */
    return coarse;
}

/* The counter is still above zero: from 1 to what it was set to. */
static inline bool is_counting(uint32_t behind)
{
    return (-behind & 0xffff) - 1 < pit_tick.counts;
}

/*
 * An IRQ 0 before the one-shot has ended: reprogramming left a request in the 8259, or it is
 * spurious.  Both the counter and the TSC must say so.  The TSC alone would not do: an NMI or
 * SMI between the arming and the reading that `due` is computed from makes `due` too late, and
 * a one-shot that has ended interrupts only once.
 */
static bool is_early(uint64_t fine, uint32_t behind)
{
    return (int64_t)fine < -(int64_t)pit.slack && is_counting(behind);
}

/*
 * The counter is above zero, and by the TSC it did not wrap.  In the last two counts this can
 * still be the tick, as some chips show it; before that the NMI is another device's.
 */
static inline bool is_before(uint64_t fine, uint32_t behind)
{
    return is_counting(behind) && (int64_t)fine < (int64_t)pit.slack;
}

/* A piece of an interval is over: no tick.  The handler's time goes to MONITOR. */
static void end_piece(uint64_t now, uint64_t *cell)
{
    const struct probe_event e = {
        .sample.time = now, .lateness = now - pit_tick.due, .halted = current->id == ROW_IDLE,
    };

    tick_enter(&probe, &e, account_on);
    pic_eoi_master(PIT_IRQ);
    arm_rest();
    expect_usual(&pit_plain_irq);
    account_tick_exit(cell);
}

/* Whichever handler takes it, the next one-shot has another `due`. */
static inline bool is_renewed(void)
{
    return pit.renewed == pit_tick.due;
}

/* Whether the TSC alone tells the lateness of this tick, `fine`. */
static inline bool is_told_by_tsc(uint64_t fine)
{
    return (int32_t)(pit.read_at - probe.queue.taken) > 0 && fine < pit.timely && pit.by_tsc;
}

/* Whether the counter must tell it.  Once for each that is not a usual one. */
static bool must_read(uint64_t fine)
{
    if (is_told_by_tsc(fine))
        return false;
    pit.read_at = probe.queue.taken + READ_EVERY;
    return true;
}

/*
 * The interrupts that are no tick in time: a one-shot before the probe runs, a request that
 * came early, the end of a piece of an interval, a late tick.  Returns the lateness of a tick,
 * else NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_irq(uint64_t now)
{
    const uint64_t fine = now - pit_tick.due;
    uint32_t behind;

    if (now >= timer_watch) /* the tick's own entry does not: kernel/trap/dispatch.c */
        timer_look(now, false);
    if (pit.running && !pit.piece && (is_renewed() || !must_read(fine)))
        return fine;
    behind = pit_lateness();
    if (!pit.running) {
        source_pit_fired = now;
        pit.fired_past = behind;
    } else if (is_early(fine, behind)) {
        pit.early++;
    } else if (pit.piece) {
        end_piece(now, account.cell);
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

    if (!pit.running || pit.piece || is_renewed() || !is_told_by_tsc(lateness)) {
        lateness = classify_irq(now);
        if (lateness == NO_TICK)
            return;
    }
    note_usual(pit_plain_irq, lateness);
    next = tick_record(&probe, f, now, lateness);
    pic_eoi_master(PIT_IRQ);
    if (next != 0)
        arm(next);
    else
        disarm();
    expect_usual(&pit_plain_irq);
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
    pit.fired_past = behind;
}

/*
 * An NMI that the TSC does not call a tick in time, or one in READ_EVERY: the counter tells whether it is ours.
 * Returns its lateness, or NO_TICK.
 */
static __attribute__((noinline)) uint64_t classify_nmi(uint64_t now)
{
    const uint64_t fine = now - pit_tick.due;
    uint32_t behind;

    if (pit.running && !pit.piece && (is_renewed() || !must_read(fine)))
        return fine;
    behind = pit_lateness();
    if (!pit.running) {
        measure_nmi(now, behind);
        return NO_TICK;
    }
    if ((int32_t)behind <= pit.usual && fine <= pit.slack)
        return fine;
    if (!is_before(fine, behind))
        return resolve_lateness(now, behind);
    if ((int64_t)fine >= -(int64_t)clocks_of(2))
        return 0;
    nmi_count_stray();
    return NO_TICK;
}

static __attribute__((noinline)) uint64_t end_piece_as_nmi(const struct cpu_frame *f, uint64_t now, uint64_t lateness)
{
    struct probe_event e = { .sample.time = now, .lateness = lateness };

    nmi_locate(f, &e);
    pit.piece = false;
    arm_rest();
    expect_still();
    return probe_monitor_start(&probe, &e);
}

/*
 * The same tick as an NMI: it needs no EOI, and no second one comes before its IRETQ.  An NMI of another device that
 * comes while this one is due, up to `timely` before it, is taken for it; the tick itself then comes early by the
 * TSC and counts as a stray.
 */
static __attribute__((flatten)) uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e;
    uint64_t next;

    e.sample.time = now;
    e.lateness = now - pit_tick.due;
    if (!pit.running || pit.piece || is_renewed() || !is_told_by_tsc(e.lateness)) {
        e.lateness = classify_nmi(now);
        if (e.lateness == NO_TICK)
            return now;
        if (pit.piece)
            return end_piece_as_nmi(f, now, e.lateness);
    }
    note_usual(frame_ring(f->cs) == 3 ? pit_plain_as_nmi : pit_plain_never, e.lateness);
    nmi_locate(f, &e);
    next = probe_tick_nmi(&probe, &e);
    if (next != 0)
        arm(next);
    else
        disarm();
    expect_still();
    return probe.counters.end;
}

/* Fire one-shots; returns how many came. */
static unsigned fire_proofs(void)
{
    unsigned arrived = 0;

    for (unsigned i = 0; i < PIT_PROOFS; i++) {
        const uint64_t begin = source_pit_arm_once(PROOF_COUNT);

        while (source_pit_fired == 0 && rdtsc() - begin < pit.proof_wait)
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
    pit.proof_wait = clock_hz / PROOF_WAIT;
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
    pit.running = true;
    begin_ticks();
    arm(first);
    expect_usual(&pit_plain_irq);
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
    begin_ticks();
    count = probe.relative ? first_piece(first) : counts_until(first, rdtsc());
    clocks = clocks_of(count);
    before = rdtsc() + clocks;
    pit_tick.due = before;
    pit_tick.counts = count;
    expect_usual(&pit_plain_as_nmi);
    pit.running = true;
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

    if ((int64_t)(now - due) < pit.overdue || !pit.running)
        return false;
    again = due == pit.suspected;
    pit.suspected = due;
    return again;
}

/* The chain of one-shots goes on: the tick that follows is late since the one that was lost was due. */
static void begin_anew(void)
{
    pit.silent++;
    pit.renewed = pit_tick.due;
    pit_tick.counts = 1;
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
    if (pit.suspected == pit_tick.due) {
        nmi_open(&line);
        begin_anew();
    } else {
        nmi_open(&line);
    }
}

static void report(void)
{
    if (pit.silent != 0)
        log_line(LOG_WARNING, "one-shots of the 8254 whose interrupt was lost and that were begun anew: ",
                 DECIMAL(pit.silent), "; their ticks count as late");
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
    .variable = true, .precalibrated = true, .detect = detect, .set_rate = set_rate, .start = start_nmi,
    .stop = stop_nmi,
    .poll = poll_nmi, .report = report,
};
