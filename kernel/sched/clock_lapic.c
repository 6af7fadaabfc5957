/* SPDX-License-Identifier: MIT */
/*
 * The system clock by the local APIC's timer, a one-shot: sleeps are exact to the microsecond.  Its counter ends the
 * one-shot or, where it can, a deadline of the TSC, the clock that ticks are laid down by.  Intel SDM 3A, 11.5.4.
 */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "kernel/cpu/cpu.h"
#include "kernel/sched/clock.h"

#define ARM_LEAST   16u    /* timer clocks: what is overdue interrupts this much later */
#define PROOFS      4u     /* test shots that must all interrupt, */
#define PROOF_PART  10000u /* each a 10 000th of a second after its arming, */
#define LIMIT_PART  4u     /* and within a quarter of a second at the latest */
#define HALTS       8u     /* more alarms than end within that */
#define ALARM_COUNT 48919u /* of the PIT, 41 ms: ends a HLT in which the timer stops */

static uint64_t timer_q32;      /* timer clocks a clock unit, 32.32; set once */
static volatile uint64_t fired; /* TSC of the last interrupt; 0: none since it was armed */
static volatile bool testing;   /* calibrate() runs; read in its interrupts */

/* ---- by its counter ---- */

static void start_count(void)
{
    lapic_timer_use(LAPIC_TIMER_COUNT);
}

static void stop_count(void)
{
    lapic_timer_arm(0);
    lapic_timer_use(LAPIC_TIMER_OFF);
}

static void arm_count(uint64_t clocks)
{
    const uint64_t count = clocks * timer_q32 >> 32;

    lapic_timer_arm(count < ARM_LEAST ? ARM_LEAST : (uint32_t)count);
}

/* ---- by a deadline of the TSC: one that has passed interrupts at once ---- */

static void start_deadline(void)
{
    lapic_timer_use(LAPIC_TIMER_DEADLINE);
}

static void stop_deadline(void)
{
    lapic_deadline_arm(0);
    lapic_timer_use(LAPIC_TIMER_OFF);
}

static void arm_deadline(uint64_t clocks)
{
    lapic_deadline_arm(rdtsc() + clocks);
}

/* ---- either ---- */

static bool acknowledge(uint64_t now)
{
    fired = now;
    lapic_eoi();
    return testing;
}

static void begin(const struct clock *c, uint64_t clocks)
{
    fired = 0;
    c->arm(clocks);
}

static bool comes(const struct clock *c, uint64_t clock_hz)
{
    const uint64_t from = rdtsc();

    begin(c, clock_hz / PROOF_PART);
    cpu_interrupts_on();
    while (fired == 0 && rdtsc() - from < clock_hz / LIMIT_PART)
        continue;
    cpu_interrupts_off();
    return fired != 0;
}

/* By a deadline: the clocks are those of the TSC, and an earlier interrupt would be no interrupt of its own. */
static bool comes_early(uint64_t clock_hz)
{
    const uint64_t from = rdtsc();

    return comes(&clock_deadline, clock_hz) && fired - from < clock_hz / PROOF_PART;
}

static void pit_alarm(void)
{
    pit_arm(ALARM_COUNT);
}

static void (*set_alarm)(void) = pit_alarm, (*end_alarm)(void) = pit_init; /* set once */

void clock_lapic_alarm_by(void (*set)(void), void (*end)(void))
{
    set_alarm = set;
    end_alarm = end;
}

/*
 * Some timers stop in HLT, where IDLE spends its time.  The PIT or another timer, which was tested before, ends the
 * HLT then.  Where the TSC stops there too, it does not tell when to give up: the number of HLTs does.
 */
static bool comes_halted(const struct clock *c, uint64_t clock_hz)
{
    const uint64_t from = rdtsc();

    begin(c, clock_hz / PROOF_PART);
    for (uint32_t halts = 0; halts < HALTS && fired == 0 && rdtsc() - from < clock_hz / LIMIT_PART; halts++) {
        set_alarm();
        __asm__ volatile("sti\n\thlt\n\tcli" : : : "memory");
    }
    end_alarm();
    return fired != 0;
}

static bool test(const struct clock *c, uint64_t clock_hz, struct refusal *why)
{
    uint32_t came = 0;

    while (came < PROOFS && comes(c, clock_hz))
        came++;
    if (came < PROOFS)
        return REFUSE_WITH(why, "of %1 one-shots of the local APIC's timer %2 interrupted within a quarter "
                                "of a second", REFUSAL_NUMBER(PROOFS), REFUSAL_NUMBER(came));
    return comes_halted(c, clock_hz) ||
           REFUSE(why, "the local APIC's timer does not interrupt out of HLT");
}

static bool try(const struct clock *c, uint64_t clock_hz, struct refusal *why)
{
    bool works;

    testing = true;
    c->start();
    works = test(c, clock_hz, why);
    if (works && c == &clock_deadline && comes_early(clock_hz))
        works = REFUSE(why, "the local APIC's timer interrupts before its deadline");
    c->stop();
    testing = false;
    return works;
}

/* Ticks are laid down by the TSC: there is no period to be measured. */
static bool calibrate_count(const struct timer_rate *rate, uint64_t *period, struct refusal *why)
{
    (void)period;
    timer_q32 = rate->timer_q32;
    return try(&clock_lapic, rate->clock_hz, why);
}

static bool calibrate_deadline(const struct timer_rate *rate, uint64_t *period, struct refusal *why)
{
    (void)period;
    if (!lapic_has_deadline())
        return REFUSE(why, "the local APIC's timer has no TSC deadline");
    return try(&clock_deadline, rate->clock_hz, why);
}

const struct clock clock_lapic = {
    .name = "the local APIC's timer", .vector = LAPIC_TIMER_VECTOR,
    .calibrate = calibrate_count, .start = start_count, .stop = stop_count, .arm = arm_count,
    .acknowledge = acknowledge,
};

const struct clock clock_deadline = {
    .name = "the local APIC's timer, by TSC deadline", .vector = LAPIC_TIMER_VECTOR,
    .calibrate = calibrate_deadline, .start = start_deadline, .stop = stop_deadline, .arm = arm_deadline,
    .acknowledge = acknowledge,
};
