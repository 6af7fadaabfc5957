/* SPDX-License-Identifier: MIT */
/*
 * Clocks and latencies, measured.  The PIT is the yardstick: its crystal is
 * 1.193182 MHz on every PC (Intel 8254 data sheet; IBM PC/AT).  Two one-shots of
 * different length share their latencies, so that their difference is exact.
 */
#include "kernel/tick/calibrate.h"

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/trap.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/tick/dual_source.h"
#include "kernel/tick/sampler.h"
#include "kernel/tick/source_pit.h"
#include "kernel/tick/window.h"

#define SHORT_COUNT    1193u  /* 1 ms */
#define LONG_COUNT     48919u /* 41 ms */
#define LEAST_SHOTS    3
#define SHOTS          48
#define SHOT_COUNT     211u   /* and 7 more each time: every phase of CPU against PIT */
#define SPIN_UNITS     50000u
#define EMPTY_CALLS    16
#define TIMER_LOOK     500    /* a 500th of a second */
#define LOOKS          100000u /* port accesses: 0.1 s on a board, and 1 ms is due */
#define GUESS_COUNT    119u   /* 0.1 ms */
#define LONGEST_PART   4u     /* a quarter of a second: the longest shot is due after 41 ms */
#define HANDLER_TICKS  32
#define HANDLER_MEAN   800u   /* counts: room for the slowest handler */

static uint64_t longest; /* that an interrupt is waited for, clock units; set first of all */
static uint32_t shots;   /* one-shots since calibrate_clocks() or calibrate_nmi() began */
static bool lost;        /* the last of them did not interrupt: then there are no more */
static bool lost_halted; /* that was out of HLT */

const char *calibrate_failure(void)
{
    if (!lost)
        return 0;
    return sentence("one-shot ", DECIMAL(shots), " of the 8254 did not interrupt within a quarter of a second, ",
                    lost_halted ? "out of HLT" : "while code ran");
}

/* The system clock ends a HLT whose interrupt does not come. */
static void await_halted(uint64_t armed)
{
    while (source_pit_fired() == 0 && rdtsc() - armed < longest)
        source_pit_halt();
}

static void await_running(uint64_t armed)
{
    cpu_interrupts_on();
    while (source_pit_fired() == 0 && rdtsc() - armed < longest)
        continue;
    cpu_interrupts_off();
}

/* Clock units from arming to the entry of the handler; 0 where it is lost. */
static uint64_t one_shot(uint32_t count, bool halt)
{
    uint64_t armed;

    if (lost)
        return 0;
    shots++;
    cpu_interrupts_off();
    if (halt)
        timer_alarm(longest);
    armed = source_pit_arm_once(count);
    if (halt)
        await_halted(armed);
    else
        await_running(armed);
    if (halt)
        timer_alarm_off();
    lost = source_pit_fired() == 0;
    lost_halted = halt;
    return lost ? 0 : source_pit_fired() - armed;
}

uint64_t calibrate_shortest_shot(uint64_t (*shot)(uint32_t counts, bool halt), uint32_t counts)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < LEAST_SHOTS; i++) {
        const uint64_t took = shot(counts, false);

        if (took < least)
            least = took;
    }
    return least;
}

static void measure_clock(struct calibration *c)
{
    const uint64_t counts = LONG_COUNT - SHORT_COUNT;
    const uint64_t shorter = calibrate_shortest_shot(one_shot, SHORT_COUNT);
    const uint64_t longer = calibrate_shortest_shot(one_shot, LONG_COUNT);

    c->per_65536 = ((longer - shorter) * 65536 + counts / 2) / counts;
    c->rate.clock_hz = (longer - shorter) * PIT_HZ_NOMINAL / counts;
}

static void measure_timer(struct calibration *c)
{
    uint64_t begin, clocks;
    uint32_t timer;

    lapic_timer_arm(UINT32_MAX);
    timer = lapic_timer_count();
    begin = rdtsc();
    while (rdtsc() - begin < c->rate.clock_hz / TIMER_LOOK)
        continue;
    timer -= lapic_timer_count();
    clocks = rdtsc() - begin;
    lapic_timer_arm(0);
    c->rate.timer_q32 = ((uint64_t)timer << 32) / clocks;
}

/* What two readings of the clock are apart by themselves. */
static uint64_t measure_grain(void)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < EMPTY_CALLS; i++) {
        const uint64_t begin = rdtsc();
        const uint64_t apart = rdtsc() - begin;

        if (apart < least)
            least = apart;
    }
    return least;
}

static void measure_spin(struct calibration *c)
{
    const uint64_t begin = rdtsc();

    spin(SPIN_UNITS);
    c->unit_q32 = ((rdtsc() - begin) << 32) / SPIN_UNITS;
}

/* The edges of a section with interrupts off, by the account itself, on cells that nobody reads. */
static void measure_cli_sti(struct calibration *c)
{
    const uint64_t grain = measure_grain();
    const struct account before = account;
    const uint32_t asked = account_on;
    uint64_t cells[2] = {0, 0};

    account_on = 1;
    account.cell = cells;
    c->cli_cost = c->sti_cost = UINT64_MAX;
    for (int i = 0; i < EMPTY_CALLS; i++) {
        const uint64_t begin = rdtsc(); /* nothing was stolen yet */
        uint64_t after;

        irq_disable();
        if (account.last - begin < c->cli_cost)
            c->cli_cost = account.last - begin;
        irq_enable();
        after = rdtsc();
        if (after - account.last < c->sti_cost)
            c->sti_cost = after - account.last;
    }
    c->cli_cost = c->cli_cost > grain ? c->cli_cost - grain : 0;
    cpu_interrupts_off();
    account_on = asked;
    account = before;
}

static void insert_sorted(uint64_t *sorted, int n, uint64_t value)
{
    for (; n > 0 && sorted[n - 1] > value; n--)
        sorted[n] = sorted[n - 1];
    sorted[n] = value;
}

/*
 * The floor is the least lateness seen.  A tick is late above what seven in
 * eight kept to, as much again, and what the clock can tell apart.
 */
struct probe_lateness calibrate_lateness(uint64_t (*shot)(unsigned number, bool halt), bool halt)
{
    const uint64_t grain = measure_grain();
    uint64_t sorted[SHOTS];
    uint64_t usual;

    for (int i = 0; i < SHOTS; i++)
        insert_sorted(sorted, i, shot((unsigned)i, halt));
    usual = sorted[SHOTS * 7 / 8];
    return (struct probe_lateness){
        .floor = sorted[0],
        .late = usual + (usual - sorted[0]) + grain,
    };
}

static uint64_t counts_past[SHOTS]; /* sorted: what the counter said of each shot */
static uint64_t shot_per_65536;

static uint64_t lateness_of_shot(unsigned number, bool halt)
{
    const uint32_t count = SHOT_COUNT + 7u * number;
    const uint64_t took = one_shot(count, halt);
    const uint64_t due = count * shot_per_65536 >> 16;

    insert_sorted(counts_past, (int)number, source_pit_fired_past());
    return took > due ? took - due : 0;
}

static struct probe_lateness measure_lateness(struct calibration *c, bool halt)
{
    struct probe_lateness found;

    shot_per_65536 = c->per_65536;
    found = calibrate_lateness(lateness_of_shot, halt);
    if (counts_past[SHOTS * 7 / 8] > c->counts_past)
        c->counts_past = (uint32_t)counts_past[SHOTS * 7 / 8];
    return found;
}

/* Clock units a second as the counter has it, to a thousandth or so: 0 where one of them stands. */
static uint64_t guess_second(void)
{
    uint32_t first, counts = 0;
    uint64_t begin;

    source_pit_arm_once(LONG_COUNT);
    first = pit_read();
    begin = rdtsc();
    for (unsigned i = 0; i < LOOKS && counts < GUESS_COUNT; i++)
        counts = (uint16_t)(first - pit_read());
    return counts != 0 ? (rdtsc() - begin) * PIT_HZ_NOMINAL / counts : 0;
}

/* IRQ 0 may be dead though the chip counts: look before anything waits for it. */
static bool irq_arrives(void)
{
    source_pit_arm_once(SHORT_COUNT);
    cpu_interrupts_on();
    for (unsigned i = 0; i < LOOKS && source_pit_fired() == 0; i++)
        pit_read();
    cpu_interrupts_off();
    return source_pit_fired() != 0;
}

const char *calibrate_clocks(struct calibration *c)
{
    const uint64_t second = guess_second();

    longest = second / LONGEST_PART;
    if (longest == 0)
        return "the TSC or the 8254 stands still";
    if (!irq_arrives())
        return "the 8254 counts, but its interrupt (IRQ 0) does not arrive";
    measure_clock(c);
    if (!lost && lapic_in_use())
        measure_timer(c);
    return calibrate_failure();
}

const char *calibrate_latencies(struct calibration *c)
{
    measure_spin(c);
    measure_cli_sti(c);
    c->counts_past = 0;
    c->running = measure_lateness(c, false);
    c->tsc_stops = one_shot(LONG_COUNT, true) < (LONG_COUNT * c->per_65536 >> 16) / 2;
    c->halted = measure_lateness(c, true);
    return calibrate_failure();
}

/* From the handler's last reading of the clock to the end of its IRETQ. */
static uint64_t nmi_exit_cost(void)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < EMPTY_CALLS; i++) {
        uint64_t after;

        __asm__ volatile("int $2" : : : "memory"); /* by its gate: the same way as an NMI */
        after = rdtsc();
        if (after - nmi_last_reading() < least)
            least = after - nmi_last_reading();
    }
    return least;
}

bool calibrate_nmi(struct calibration *c, struct nmi_proof *proof)
{
    shots = 0;
    lost = false;
    if (!source_pit_route(proof, c->rate.clock_hz))
        return false;
    nmi_set_exit_cost(nmi_exit_cost());
    c->counts_past = 0;
    c->running = measure_lateness(c, false);
    c->halted = measure_lateness(c, true);
    c->halted.late = UINT64_MAX; /* what comes late out of HLT is still IDLE's */
    if (lost)
        source_pit_nmi.stop();
    return !lost;
}

uint32_t clocks_to_counts(uint64_t per_65536, uint64_t clocks)
{
    return (uint32_t)((clocks * 65536 + per_65536 - 1) / per_65536);
}

/*
 * Real ticks of tick_source, with the monitors that will run, at a rate of their own,
 * until `done`.  False where they stop before.
 */
static bool run_ticks(uint64_t mean, uint64_t goal, bool (*done)(void))
{
    const struct schedule_request request = {
        .policy = config_value_name(&options.words, "interval"),
        .mean = mean << 16,
        .minimum = 1,
        .spread = 1000,
        .seed = 1,
    };
    const uint32_t asked = account_on;
    uint64_t begin;
    bool is_done;

    account_on = options.words.account == CONFIG_ACCOUNT_LOG ? ACCOUNT_LOGGED : ACCOUNT_KEPT;
    schedule_init(&probe.schedule, &request);
    probe.goal = goal;
    window_begin();
    ahead_fill(&probe.ahead, 2 * HANDLER_TICKS); /* as while it runs: the tick draws none */
    begin = rdtsc();
    cpu_interrupts_on();
    do
        is_done = *(volatile uint64_t *)&probe.counters.ticks != 0 && done(); /* the first one looks */
    while (!is_done && rdtsc() - begin < longest);
    cpu_interrupts_off();
    window_stop();
    account_on = asked;
    return is_done;
}

static const char *stopped(void)
{
    return sentence("its ticks stopped: of ", DECIMAL(HANDLER_TICKS), " due within a quarter of a second ",
                    DECIMAL(probe_ticks(&probe)), " came");
}

static bool are_enough(void)
{
    return probe_ticks(&probe) >= HANDLER_TICKS;
}

static bool have_stopped(void)
{
    return probe.close == PROBE_STOPPED;
}

/* As it will run: of two side by side each comes by the common entry. */
static const struct source *as_it_runs(const struct source *s)
{
    return options.words.second_tick != TICK_AUTO ? dual_source_wrap(0, s) : s;
}

const char *calibrate_pit_handler(struct handler_cost *cost)
{
    if (options.words.second_tick != TICK_AUTO)
        dual_source_measure();
    tick_source = as_it_runs(probe.unmasked ? &source_pit_nmi : &source_pit); /* whose handler does most */
    if (!run_ticks(HANDLER_MEAN, UINT64_MAX, are_enough))
        return stopped();
    cost->handler = probe.monitor / probe_ticks(&probe);
    cost->lead = cost->handler - source_pit_arm_to_exit();
    return 0;
}

/*
 * From expiry to the next arming is what neither intervals nor, as nothing else runs,
 * lateness explain of the time from the first tick to the last.  That one closes the
 * window, which no other does: the handler's length is measured apart.
 */
const char *calibrate_source_handler(struct handler_cost *cost, const struct source_facts *f)
{
    const uint64_t mean = HANDLER_MEAN * tick_facts.calibration.per_65536 / f->clock_65536;
    const struct probe_closed *const c = &probe.closed;
    struct schedule begun;
    uint64_t counts;

    tick_source = as_it_runs(tick_source);
    if (!run_ticks(mean, UINT64_MAX, are_enough))
        return stopped();
    cost->handler = probe.monitor / probe_ticks(&probe);
    if (!run_ticks(mean, HANDLER_TICKS, have_stopped))
        return stopped();
    begun = probe.schedule;
    counts = c->intervals - schedule_next(&begun);
    cost->lead = (c->counters.end - c->counters.first - (counts * f->clock_65536 >> 16)) / (HANDLER_TICKS - 1);
    return 0;
}
