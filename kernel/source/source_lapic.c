/* SPDX-License-Identifier: MIT */
/*
 * The local APIC's timer as tick source: a one-shot, armed in the handler.  It ends where its counter reaches zero,
 * and stops there, so that only the TSC tells how late a tick is; or, where it can, when the TSC reaches a deadline.
 * The handler is compiled for each, so that a tick asks for neither.  Intel SDM 3A, 11.5.4.
 */
#include "kernel/source/source_lapic.h"

#include "drivers/lapic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/source/one_shot_tick.h"

#define SHORT_PART 1000u /* of a second: the shorter shot of the measurement, 1 ms, */
#define LONG_PART  24u   /* and the longer one, 41 ms */
#define LIMIT_PART 4u    /* of a second: a shot is waited for 0.25 s */
#define LOOK_PART  5657u /* of a second: the shortest shot whose latency is measured */
#define SECOND_MAX (1ull << 31) /* counts: a schedule's mean is below that (probe/schedule/schedule.c) */

static struct one_shot_tick ticks = { .name = "the local APIC's timer" };

/* ---- by its counter ---- */

ONE_SHOT_INLINE uint64_t arm_count(uint64_t counts)
{
    lapic_timer_arm((uint32_t)counts);
    return rdtsc() + one_shot_tick_clocks(&ticks, counts);
}

static bool is_counting(void)
{
    return lapic_timer_count() != 0;
}

static void end_count(void)
{
    lapic_timer_arm(0);
}

static const struct one_shot_device by_count = { .arm = arm_count, .is_counting = is_counting, .quiet = end_count };

static void interrupt_by_count(const struct cpu_frame *f, uint64_t now)
{
    one_shot_tick_interrupt(&ticks, &by_count, f, now);
}

/* ---- by a deadline of the TSC ---- */

ONE_SHOT_INLINE uint64_t arm_deadline(uint64_t counts)
{
    const uint64_t due = rdtsc() + one_shot_tick_clocks(&ticks, counts);

    lapic_deadline_arm(due);
    return due;
}

static bool is_before_deadline(void)
{
    return lapic_deadline() != 0;
}

static void end_deadline(void)
{
    lapic_deadline_arm(0);
}

static const struct one_shot_device by_deadline = {
    .arm = arm_deadline, .is_counting = is_before_deadline, .quiet = end_deadline,
};

static void interrupt_by_deadline(const struct cpu_frame *f, uint64_t now)
{
    one_shot_tick_interrupt(&ticks, &by_deadline, f, now);
}

/* ---- either ---- */

static const struct one_shot_device *device = &by_count; /* changed in detect() alone, interrupts off */

static void use(const struct one_shot_device *d)
{
    device = d;
    source_lapic.interrupt = d == &by_deadline ? interrupt_by_deadline : interrupt_by_count;
    source_lapic.what = d == &by_deadline ? "local APIC timer, TSC deadline, armed in the handler" :
                                            "local APIC timer, one-shot, armed in the handler";
    irq_register_tick(LAPIC_TIMER_VECTOR, source_lapic.interrupt, false);
}

static void open(void)
{
    lapic_timer_use(device == &by_deadline ? LAPIC_TIMER_DEADLINE : LAPIC_TIMER_COUNT);
}

static uint64_t arm_once(uint32_t counts)
{
    return one_shot_tick_arm_once(&ticks, device, counts);
}

/* A request that is pending in the local APIC is let in and ignored. */
static void stop(void)
{
    one_shot_tick_quiet(&ticks, device);
    cpu_take_pending();
    lapic_timer_use(LAPIC_TIMER_OFF);
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    open();
    one_shot_tick_begin(&ticks, device, p, first);
}

static struct one_shot_timer shots_of(const struct timer_rate *rate)
{
    open();
    return (struct one_shot_timer){
        .name = ticks.name, .arm = arm_once, .fired = &ticks.fired, .longest = rate->clock_hz / LIMIT_PART,
        .shortest = ticks.hz / LOOK_PART, .clocks_q24 = ticks.factor,
    };
}

static void set_count(const struct timer_rate *rate)
{
    ticks.hz = (uint32_t)(rate->clock_hz * rate->timer_q32 >> 32);
    ticks.factor = mul_div64(rate->clock_hz, 1u << ONE_SHOT_FACTOR, ticks.hz);
}

struct one_shot_timer source_lapic_shots(const struct timer_rate *rate)
{
    set_count(rate);
    return shots_of(rate);
}

/* Two shots of different length have the same latencies: their difference is exact. */
static void measure_clock(struct one_shot_timer *shots, struct source_facts *f, const struct calibration *c)
{
    const uint32_t shorter = ticks.hz / SHORT_PART, longer = ticks.hz / LONG_PART;
    const struct one_shots series = one_shots_of(shots);
    const uint64_t clocks = one_shots_shortest(&series, longer) - one_shots_shortest(&series, shorter);

    ticks.factor = mul_div64(clocks, 1u << ONE_SHOT_FACTOR, longer - shorter);
    ticks.longest = clocks / CALIBRATE_PARTS;
    f->hz_milli = mul_div64(c->rate.clock_hz * 1000, longer - shorter, clocks);
    f->clock_65536 = (ticks.factor + (1u << (ONE_SHOT_FACTOR - 17))) >> (ONE_SHOT_FACTOR - 16);
}

static bool measure_count(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct one_shot_timer shots = source_lapic_shots(&c->rate);

    one_shot(&shots, ticks.hz / SHORT_PART, false); /* before a rate is computed: it may not interrupt at all */
    if (!shots.lost)
        measure_clock(&shots, f, c);
    return shots.lost ? one_shot_check(&shots, why) : one_shot_tick_measure(&ticks, &shots, f, why);
}

/*
 * A count is a clock of the TSC, or two or more, so that a schedule has means of a second: nothing is to be measured.
 */
static void set_deadline(struct source_facts *f, uint64_t clock_hz)
{
    unsigned shift = 0;

    while (clock_hz >> shift >= SECOND_MAX)
        shift++;
    ticks.hz = (uint32_t)(clock_hz >> shift);
    ticks.factor = 1ull << (ONE_SHOT_FACTOR + shift);
    ticks.longest = 0;
    f->hz_milli = clock_hz * 1000 >> shift;
    f->clock_65536 = 65536ull << shift;
}

/*
 * A timer that does not come, or before its time, as some did with firmware that had set the TSC,
 * is used by its counter.
 */
static bool measure_deadline(struct source_facts *f, const struct calibration *c)
{
    struct one_shot_timer shots;
    uint32_t counts;

    use(&by_deadline);
    set_deadline(f, c->rate.clock_hz);
    shots = shots_of(&c->rate);
    counts = ticks.hz / SHORT_PART;
    if (one_shot(&shots, counts, false) >= one_shot_tick_clocks(&ticks, counts) &&
        one_shot_tick_measure(&ticks, &shots, f, &(struct refusal){ 0 }))
        return true;
    stop();
    use(&by_count);
    return false;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    return one_shot_tick_set_rate(&ticks, f, r->rate, device == &by_deadline ? UINT64_MAX : UINT32_MAX, why);
}

/* The EOI is the other access. */
static const char *note(void)
{
    if (device == &by_deadline)
        return lapic_in_x2apic_mode() ? ", by TSC deadline: no access of memory a tick"
                                      : ", by TSC deadline: one access of memory a tick";
    return lapic_in_x2apic_mode() ? ", by its counter: no access of memory a tick"
                                  : ", by its counter: two accesses of memory a tick";
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    bool works;

    if (!lapic_in_use())
        return REFUSE(why, "this CPU has no local APIC");
    if (c->tsc_stops)
        return REFUSE(why, "the TSC stops in HLT, and nothing else tells how late the local APIC's timer is");
    works = (lapic_has_deadline() && measure_deadline(f, c)) || measure_count(f, c, why);
    stop();
    f->note.reason = note();
    return works;
}

static void report(void)
{
    one_shot_tick_report(&ticks, 0);
}

struct source source_lapic = {
    .name = "lapic", .what = "local APIC timer, one-shot, armed in the handler",
    .variable = true, .vector = LAPIC_TIMER_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt_by_count,
    .report = report,
};
