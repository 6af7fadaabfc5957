/* SPDX-License-Identifier: MIT */
/*
 * The local APIC's timer as tick source: a one-shot, armed in the handler.  Its counter stops
 * at zero, so that only the TSC tells how late a tick is.
 */
#include "kernel/source/source_lapic.h"

#include "drivers/lapic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/source/one_shot_tick.h"

#define SHORT_PART 1000u /* of a second: the shorter shot of the measurement, 1 ms, */
#define LONG_PART  24u   /* and the longer one, 41 ms */
#define LIMIT_PART 4u    /* of a second: a shot is waited for 0.25 s */
#define LOOK_PART  5657u /* of a second: the shortest shot whose latency is measured */

static void arm(uint32_t counts)
{
    lapic_timer_arm(counts);
}

static bool is_counting(void)
{
    return lapic_timer_count() != 0;
}

static void quiet(void)
{
    lapic_timer_arm(0);
}

static const struct one_shot_device device = { .arm = arm, .is_counting = is_counting, .quiet = quiet };
static struct one_shot_tick ticks = { .name = "the local APIC's timer" };

static uint64_t arm_once(uint32_t counts)
{
    return one_shot_tick_arm_once(&ticks, &device, counts);
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    one_shot_tick_interrupt(&ticks, &device, f, now);
}

/* A request that is pending in the local APIC is let in and ignored. */
static void stop(void)
{
    one_shot_tick_quiet(&ticks, &device);
    cpu_take_pending();
    lapic_timer_enable(false);
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    lapic_timer_enable(true);
    one_shot_tick_begin(&ticks, &device, p, first);
}

static void set_hz(const struct timer_rate *rate)
{
    ticks.hz = (uint32_t)(rate->clock_hz * rate->timer_q32 >> 32);
}

struct one_shot_timer source_lapic_shots(const struct timer_rate *rate)
{
    set_hz(rate);
    ticks.factor = mul_div64(rate->clock_hz, 1u << ONE_SHOT_FACTOR, ticks.hz);
    lapic_timer_enable(true);
    return (struct one_shot_timer){
        .name = ticks.name, .arm = arm_once, .fired = &ticks.fired, .longest = rate->clock_hz / LIMIT_PART,
        .shortest = ticks.hz / LOOK_PART, .clocks_q24 = ticks.factor,
    };
}

/* Two shots of different length have the same latencies: their difference is exact. */
static void measure_clock(struct one_shot_timer *shots, struct source_facts *f, const struct calibration *c)
{
    const uint32_t shorter = ticks.hz / SHORT_PART, longer = ticks.hz / LONG_PART;
    const struct one_shots series = one_shots_of(shots);
    const uint64_t clocks = one_shots_shortest(&series, longer) - one_shots_shortest(&series, shorter);

    ticks.factor = mul_div64(clocks, 1u << ONE_SHOT_FACTOR, longer - shorter);
    f->hz_milli = mul_div64(c->rate.clock_hz * 1000, longer - shorter, clocks);
    f->clock_65536 = (ticks.factor + (1u << (ONE_SHOT_FACTOR - 17))) >> (ONE_SHOT_FACTOR - 16);
}

static bool measure(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct one_shot_timer shots = source_lapic_shots(&c->rate);

    one_shot(&shots, ticks.hz / SHORT_PART, false); /* before a rate is computed: it may not interrupt at all */
    if (!shots.lost)
        measure_clock(&shots, f, c);
    return shots.lost ? one_shot_check(&shots, why) : one_shot_tick_measure(&ticks, &shots, f, why);
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    return one_shot_tick_set_rate(&ticks, f, r->rate, UINT32_MAX, why);
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    bool works;

    if (!lapic_in_use())
        return REFUSE(why, "this CPU has no local APIC");
    if (c->tsc_stops)
        return REFUSE(why, "the TSC stops in HLT, and nothing else tells how late the local APIC's timer is");
    works = measure(f, c, why);
    stop();
    return works;
}

static void report(void)
{
    one_shot_tick_report(&ticks, 0);
}

const struct source source_lapic = {
    .name = "lapic", .what = "local APIC timer, one-shot, armed in the handler",
    .variable = true, .vector = LAPIC_TIMER_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt, .report = report,
};
