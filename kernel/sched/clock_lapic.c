/* SPDX-License-Identifier: MIT */
/* The system clock by the local APIC's timer, a one-shot: sleeps are exact to the microsecond. */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "kernel/cpu/cpu.h"
#include "kernel/sched/clock.h"

#define ARM_LEAST   16u    /* timer clocks: what is overdue interrupts this much later */
#define PROOFS      4u     /* test shots that must all interrupt, */
#define PROOF_PART  10000u /* each a 10 000th of a second after its arming, */
#define LIMIT_PART  4u     /* and within a quarter of a second at the latest */
#define ALARM_COUNT 48919u /* of the PIT, 41 ms: ends a HLT in which the timer stops */

static uint64_t timer_q32;      /* timer clocks a clock unit, 32.32; set once */
static volatile uint64_t fired; /* TSC of the last interrupt; 0: none since it was armed */
static volatile bool testing;   /* calibrate() runs; read in its interrupts */

static void start(void)
{
    lapic_timer_enable(true);
}

static void stop(void)
{
    lapic_timer_arm(0);
    lapic_timer_enable(false);
}

static void arm(uint64_t clocks)
{
    const uint64_t count = clocks * timer_q32 >> 32;

    lapic_timer_arm(count < ARM_LEAST ? ARM_LEAST : (uint32_t)count);
}

static bool acknowledge(uint64_t now)
{
    fired = now;
    lapic_eoi();
    return testing;
}

static bool comes(uint64_t clock_hz)
{
    const uint64_t from = rdtsc();

    fired = 0;
    arm(clock_hz / PROOF_PART);
    cpu_interrupts_on();
    while (fired == 0 && rdtsc() - from < clock_hz / LIMIT_PART)
        continue;
    cpu_interrupts_off();
    return fired != 0;
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

/* Some timers stop in HLT, where IDLE spends its time.  The PIT or another timer, which was tested before, ends the HLT then. */
static bool comes_halted(uint64_t clock_hz)
{
    const uint64_t from = rdtsc();

    fired = 0;
    arm(clock_hz / PROOF_PART);
    while (fired == 0 && rdtsc() - from < clock_hz / LIMIT_PART) {
        set_alarm();
        __asm__ volatile("sti\n\thlt\n\tcli" : : : "memory");
    }
    end_alarm();
    return fired != 0;
}

static bool test(uint64_t clock_hz, struct refusal *why)
{
    uint32_t came = 0;

    while (came < PROOFS && comes(clock_hz))
        came++;
    if (came < PROOFS)
        return REFUSE_WITH(why, "of %1 one-shots of the local APIC's timer %2 interrupted within a quarter of a second", REFUSAL_NUMBER(PROOFS), REFUSAL_NUMBER(came));
    return comes_halted(clock_hz) ||
           REFUSE(why, "the local APIC's timer does not interrupt out of HLT");
}

static bool calibrate(const struct timer_rate *rate, uint64_t *period, struct refusal *why)
{
    bool works;

    (void)period; /* ticks are laid down by the TSC */
    timer_q32 = rate->timer_q32;
    testing = true;
    start();
    works = test(rate->clock_hz, why);
    stop();
    testing = false;
    return works;
}

const struct clock clock_lapic = {
    .vector = LAPIC_TIMER_VECTOR,
    .calibrate = calibrate, .start = start, .stop = stop, .arm = arm, .acknowledge = acknowledge,
};
