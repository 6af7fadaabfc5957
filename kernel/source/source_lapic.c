/* SPDX-License-Identifier: MIT */
/*
 * The local APIC's timer as tick source: a one-shot, armed in the handler.  Its counter stops
 * at zero, so that only the TSC tells how late a tick is.
 */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/source/one_shot.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_record.h"

#define SHORT_PART 1000u /* of a second: the shorter shot of the measurement, 1 ms, */
#define LONG_PART  24u   /* and the longer one, 41 ms */
#define LIMIT_PART 4u    /* of a second: a shot is waited for 0.25 s */
#define FACTOR     24    /* fractional bits of `factor` */
#define LATE_PART  4     /* of the mean interval: with a greater latency every tick may be late */
#define LOOK_PART  5657u /* of a second: the shortest shot whose latency is measured */

static uint64_t factor;         /* clock units in a timer clock, 40.24; set once */
static uint64_t slack;          /* clock units by which a tick may seem early; set once */
static uint32_t hz;             /* timer clocks a second; set once */
static uint64_t due;            /* clock units; ISR only */
static uint64_t early;          /* ISR only */
static volatile uint64_t fired; /* detect() and the handler */
static bool running;            /* interrupts off */
static struct probe *owner; /* whose ticks they are; interrupts off */

static uint64_t arm_once(uint32_t counts)
{
    fired = 0;
    lapic_timer_arm(counts);
    return rdtsc();
}

static uint64_t clocks_of(uint64_t counts)
{
    return counts * factor >> FACTOR;
}

static void arm(uint64_t counts)
{
    lapic_timer_arm((uint32_t)counts);
    due = rdtsc() + clocks_of(counts);
}

static void quiet(void)
{
    running = false;
    lapic_timer_arm(0);
}

/*
 * Early by the TSC, and the timer still counts.  The TSC alone would not do: an NMI or SMI
 * between the arming and the reading that `due` is computed from makes `due` too late, and a
 * timer that stands at zero interrupts no more.
 */
static bool is_early(uint64_t lateness)
{
    return (int64_t)lateness < -(int64_t)slack && lapic_timer_count() != 0;
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    uint64_t lateness = now - due, next;

    if (!running || is_early(lateness)) {
        early += running;
        fired = now;
        lapic_eoi();
        return;
    }
    if ((int64_t)lateness < 0)
        lateness = 0;
    next = tick_record(owner, f, now, lateness);
    lapic_eoi();
    if (next != 0)
        arm(next);
    else
        quiet();
    account_tick_exit(cell);
}

/* A request that is pending in the local APIC is let in and ignored. */
static void stop(void)
{
    quiet();
    cpu_take_pending();
    lapic_timer_enable(false);
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    owner = p;
    lapic_timer_enable(true);
    running = true;
    arm(first);
}

/* Two shots of different length have the same latencies: their difference is exact. */
static void measure_clock(struct one_shot_timer *shots, struct source_facts *f, const struct calibration *c)
{
    const uint32_t shorter = hz / SHORT_PART, longer = hz / LONG_PART;
    const struct one_shots series = one_shots_of(shots);
    const uint64_t clocks = one_shots_shortest(&series, longer) - one_shots_shortest(&series, shorter);

    factor = mul_div64(clocks, 1u << FACTOR, longer - shorter);
    shots->clocks_q24 = factor;
    f->hz_milli = mul_div64(c->rate.clock_hz * 1000, longer - shorter, clocks);
    f->clock_65536 = (factor + (1u << (FACTOR - 17))) >> (FACTOR - 16);
}

static bool measure(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct one_shot_timer shots = {
        .name = "the local APIC's timer", .arm = arm_once, .fired = &fired, .longest = c->rate.clock_hz / LIMIT_PART,
        .shortest = hz / LOOK_PART,
    };

    one_shot(&shots, hz / SHORT_PART, false); /* before a rate is computed: it may not interrupt at all */
    if (!shots.lost)
        measure_clock(&shots, f, c);
    if (shots.lost)
        return one_shot_check(&shots, why);
    f->running = one_shot_lateness(&shots, false);
    f->halted = one_shot_lateness(&shots, true);
    slack = f->running.late - f->running.floor;
    return one_shot_check(&shots, why);
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    f->mean = mul_div64(f->hz_milli, 1u << 16, r->rate * 1000ull);
    if (f->mean >> 16 > UINT32_MAX / 4) /* no policy goes further than four times the mean */
        return REFUSE_WITH(why, "the local APIC's timer counts to 4294967295, too little at %1 Hz", REFUSAL_NUMBER(hz));
    if (f->running.late > clocks_of(f->mean >> 16) / LATE_PART)
        return REFUSE_WITH(why, "the local APIC's timer interrupts up to %1 clocks late", REFUSAL_NUMBER(f->running.late));
    return true;
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    bool works;

    if (!lapic_in_use())
        return REFUSE(why, "this CPU has no local APIC");
    if (c->tsc_stops)
        return REFUSE(why, "the TSC stops in HLT, and nothing else tells how late the local APIC's timer is");
    hz = (uint32_t)(c->rate.clock_hz * c->rate.timer_q32 >> 32);
    lapic_timer_enable(true);
    works = measure(f, c, why);
    stop();
    return works;
}

static void report(void)
{
    if (early != 0)
        log_line(LOG_WARNING, DECIMAL(early), " interrupts of the local APIC's timer came before its time");
}

const struct source source_lapic = {
    .name = "lapic", .what = "local APIC timer, one-shot, armed in the handler",
    .variable = true, .vector = LAPIC_TIMER_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt, .report = report,
};
