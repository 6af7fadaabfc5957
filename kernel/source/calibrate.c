/* SPDX-License-Identifier: MIT */
/*
 * Clocks and latencies, measured.  The 8254 is the reference where it works: its crystal is
 * 1.193182 MHz on every PC (Intel 8254 data sheet; IBM PC/AT).  Two one-shots of
 * different length have the same latencies, so that their difference is exact.  Without it the clock's rate is that
 * by another clock (kernel/measure/yardstick.c), and the one-shots are the HPET's or the local APIC's.
 */
#include "kernel/source/calibrate.h"

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/measure/one_shot.h"
#include "kernel/measure/yardstick.h"
#include "kernel/source/nmi.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/source.h"
#include "kernel/source/source_hpet.h"
#include "kernel/source/source_lapic.h"
#include "kernel/source/source_pit.h"
#include "probe/core/timed.h"

#define SHORT_COUNT    1193u  /* 1 ms */
#define LONG_COUNT     48919u /* 41 ms */
#define SHOT_COUNT     211u   /* the shortest shot whose latency is measured: 0.18 ms */
#define SPIN_UNITS     50000u
#define LAPIC_PART     500    /* of a second: how long the local APIC's timer is watched */
#define POLLS          100000u /* port accesses: 0.1 s on a board, and 1 ms is due */
#define GUESS_COUNT    119u   /* 0.1 ms */
#define LONGEST_PART   4u     /* a quarter of a second: the longest shot is due after 41 ms */

static struct one_shot_timer pit = { /* set before each measurement */
    .name = "the 8254", .arm = source_pit_arm_once, .fired = &source_pit_fired,
    .counts_past = source_pit_fired_past, .shortest = SHOT_COUNT,
};

static struct one_shot_timer other;            /* that of HPET or local APIC, where there is no 8254 */
static struct one_shot_timer *reference = &pit; /* set once, as the next */
static uint32_t long_count = LONG_COUNT;       /* 41 ms of the reference */

bool calibrate_check(struct refusal *why)
{
    return one_shot_check(reference, why);
}

static void measure_clock(struct calibration *c)
{
    const struct one_shots shots = one_shots_of(&pit);
    const struct one_shots_rate found = one_shots_rate(&shots, SHORT_COUNT, LONG_COUNT, PIT_HZ_NOMINAL);

    c->per_65536 = found.per_65536;
    c->rate.clock_hz = found.hz;
    pit.clocks_q24 = c->per_65536 << 8;
}

static void measure_lapic_timer(struct calibration *c)
{
    uint64_t begin, clocks;
    uint32_t timer;

    lapic_timer_arm(UINT32_MAX);
    timer = lapic_timer_count();
    begin = rdtsc();
    while (rdtsc() - begin < c->rate.clock_hz / LAPIC_PART)
        continue;
    timer -= lapic_timer_count();
    clocks = rdtsc() - begin;
    lapic_timer_arm(0);
    c->rate.timer_q32 = ((uint64_t)timer << 32) / clocks;
}

static void measure_spin(struct calibration *c)
{
    const uint64_t begin = rdtsc();

    spin(SPIN_UNITS);
    c->unit_q32 = ((rdtsc() - begin) << 32) / SPIN_UNITS;
}

/* Of both, as of an entry and an exit. */
static struct account_cost cli_sti(void)
{
    const uint64_t begin = rdtsc(); /* the account's clock is the TSC: no NMI has taken time yet */
    uint64_t cli, after;

    cpu_interrupts_off(); /* not irq_disable(), which may be called and not inlined */
    account_cli();
    cli = account.last - begin;
    account_sti();
    cpu_interrupts_on();
    after = rdtsc();
    return (struct account_cost){ .entry = cli, .exit = after - account.last };
}

/* What CLI and STI cost beside the account's readings: measured by the account itself, on cells that nobody reads. */
static void measure_cli_sti(struct calibration *c)
{
    const uint64_t grain = clock_grain();
    const struct account before = account;
    const uint32_t asked = account_on;
    uint64_t cells[2] = { 0, 0 };

    account_on = 1;
    account.cell = cells;
    c->cli_cost = timed_beyond(TIMED_LEAST(cli_sti().entry), grain);
    c->sti_cost = TIMED_LEAST(cli_sti().exit);
    cpu_interrupts_off();
    account_on = asked;
    account = before;
}

/* Clock units a second by the 8254's counter, to a thousandth or so; 0 where the counter or the TSC stands still. */
static uint64_t guess_second(void)
{
    uint32_t first, counts = 0;
    uint64_t begin;

    source_pit_arm_once(LONG_COUNT);
    first = pit_read();
    begin = rdtsc();
    for (unsigned i = 0; i < POLLS && counts < GUESS_COUNT; i++)
        counts = (uint16_t)(first - pit_read());
    return counts != 0 ? (rdtsc() - begin) * PIT_HZ_NOMINAL / counts : 0;
}

/* IRQ 0 may be dead though the chip counts: poll for it, before anything relies on it. */
static bool irq_arrives(void)
{
    source_pit_arm_once(SHORT_COUNT);
    cpu_interrupts_on();
    for (unsigned i = 0; i < POLLS && source_pit_fired == 0; i++)
        pit_read();
    cpu_interrupts_off();
    return source_pit_fired != 0;
}

static bool find_pit(struct refusal *why)
{
    if (!pit_is_counting())
        return REFUSE(why, "the 8254 at ports 0x40 to 0x43 does not count");
    pit.longest = guess_second() / LONGEST_PART;
    if (pit.longest == 0)
        return REFUSE(why, "the TSC or the 8254 stands still");
    return pit_line_choose(irq_arrives) || REFUSE(why, "the 8254 counts, but its interrupt (IRQ 0) does not arrive");
}

static void measure_by_pit(struct calibration *c)
{
    reference_set(TICK_PIT);
    measure_clock(c);
    yardstick_set_pit(c->rate.clock_hz);
    if (run_config()->health != HEALTH_OFF)
        yardstick_measure();
    if (!pit.lost && lapic_in_use())
        measure_lapic_timer(c);
}

static void refer_to(enum config_tick tick, struct one_shot_timer shots, uint64_t clock_hz)
{
    other = shots;
    reference = &other;
    reference_set(tick);
    long_count = (uint32_t)(((clock_hz / LONGEST_PART / 6) << 24) / shots.clocks_q24); /* a 24th of a second */
}

/* Counts of the 8254 stay a unit of time: so many of its nominal rate. */
static bool measure_by_others(struct calibration *c, const struct refusal *no_pit, struct refusal *why)
{
    struct refusal no_hpet;

    reference_refuse_pit(no_pit);
    source_pit.stop();
    yardstick_measure();
    c->rate.clock_hz = yardstick_hz();
    if (c->rate.clock_hz == 0)
        return REFUSE_WITH(why, "%1, and no other clock tells the TSC's rate", REFUSAL_INNER(no_pit));
    c->per_65536 = (c->rate.clock_hz << 16) / PIT_HZ_NOMINAL;
    if (!lapic_in_use())
        return REFUSE_WITH(why, "%1, and this CPU has no local APIC that would bring another timer's interrupt: "
                                "there is no tick", REFUSAL_INNER(no_pit));
    measure_lapic_timer(c);
    if (source_hpet_find(c->rate.clock_hz, &no_hpet))
        refer_to(TICK_HPET, source_hpet_shots(c->rate.clock_hz), c->rate.clock_hz);
    else if (c->rate.timer_q32 != 0)
        refer_to(TICK_LAPIC, source_lapic_shots(&c->rate), c->rate.clock_hz);
    return reference_tick() != TICK_NONE ||
           REFUSE_WITH(why, "%1, and the local APIC's timer stands still: there is no tick", REFUSAL_INNER(no_pit));
}

bool calibrate_clocks(struct calibration *c, struct refusal *why)
{
    static struct refusal no_pit; /* refusals point to it */

    if (!find_pit(&no_pit))
        return measure_by_others(c, &no_pit, why);
    measure_by_pit(c);
    return calibrate_check(why);
}

/*
 * The clock is the difference of two shots (measure_clock()), each the shortest of some: either may be longer than
 * the other by what shots in time differ by, and no more.  Over a part of that time the error is that part of it.
 */
static uint64_t longest_of(const struct calibration *c)
{
    return ((LONG_COUNT - SHORT_COUNT) * c->per_65536 >> 16) / CALIBRATE_PARTS;
}

bool calibrate_latencies(struct calibration *c, struct refusal *why)
{
    measure_spin(c);
    measure_cli_sti(c);
    c->running = one_shot_lateness(reference, false);
    c->tsc_stops = one_shot(reference, long_count, true) < (long_count * reference->clocks_q24 >> 24) / 2;
    c->halted = one_shot_lateness(reference, true);
    c->counts_past = reference->usual_past;
    c->longest = longest_of(c);
    return calibrate_check(why);
}

/* From the handler's last reading of the clock to the end of its IRETQ. */
static uint64_t exit_nmi(void)
{
    uint64_t after;

    __asm__ volatile("int $2" : : : "memory"); /* through its gate, as an NMI comes */
    after = rdtsc();
    return after - nmi_last_reading();
}

bool calibrate_nmi(struct calibration *c, struct nmi_proof *proof)
{
    const bool by_pit = reference_tick() == TICK_PIT;

    reference->shots = reference->usual_past = 0;
    reference->lost = false;
    if (!(by_pit ? source_pit_route : source_hpet_route)(proof, c->rate.clock_hz))
        return false;
    nmi_set_exit_cost(TIMED_LEAST(exit_nmi()));
    one_shot_nmi_lateness(reference, &c->running, &c->halted);
    c->counts_past = reference->usual_past;
    if (reference->lost)
        (by_pit ? source_pit_nmi : source_hpet_nmi).stop();
    return !reference->lost;
}

uint32_t clocks_to_counts(uint64_t per_65536, uint64_t clocks)
{
    return (uint32_t)((clocks * 65536 + per_65536 - 1) / per_65536);
}
