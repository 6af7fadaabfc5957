/* SPDX-License-Identifier: MIT */
/*
 * The adversary of McCanne and Torek ("A CPU Adversary"), from their description:
 * it finds out when the system clock ticks, computes until just before a tick,
 * looking at the time all the while, and sleeps while the clock ticks.  Who is
 * sampled by the clock is never charged that way.  How long before the tick it
 * leaves, its lead, is said in its argument.
 *
 * In their systems such a sleep lasted until the tick after the next, so that it
 * took two hogs to use up a processor.  With HOG_TURNS a hog takes every other
 * turn of the clock here, and leaves the rest to its twin.  With HOG_FREE it sleeps
 * as long, and knows of no twin, as theirs: which turns it takes depends on which was
 * its first.
 */
#include "kernel/abi/calls.h"

#define TRAINING 9  /* ticks that it watches; odd */
#define WATCHED  8  /* the tick is looked for in this last part of the time after a sleep */
#define STEPS    50 /* of a clock tick: how often the hog looks at the time at least */
#define NEAR     4000 /* of a clock tick: it is time */
#define STAGE    1000u /* HOG_SWEEP: turns with one lead, */
#define STAGES   9u    /* of which each is shorter by a part of LEADS */
#define LEADS    10u
#define LATER_US 800000u  /* after it has learnt the phase a hog that is free waits, until the counting runs, */
#define FIRST    16u      /* and begins at one of so many ticks */

/*
 * When the clock ticked, to within one look at the time: after a sleep, which a
 * tick ended, read the time without a pause until the next, and that is where the
 * readings are furthest apart.  The end of a sleep would not do: the way from the
 * tick to here, and whoever wakes first, would be taken for the clock's phase.
 */
static uint64_t watch_tick(uint64_t tick)
{
    uint64_t last, begin, end, longest = 0;

    call(SYS_SLEEP, 0, 1);
    last = begin = call(SYS_CLOCK, 0, 0);
    end = last + tick;
    while (last < end) {
        const uint64_t now = call(SYS_CLOCK, 0, 0);

        if (now - last > longest && end - last < tick / WATCHED) {
            longest = now - last;
            begin = last;
        }
        last = now;
    }
    return begin;
}

/*
 * Clock units by which the clock's ticks are past whole multiples of `tick`: the
 * median, since now and then another task comes in between.
 */
static uint64_t learn_phase(uint64_t tick)
{
    const uint64_t from = watch_tick(tick) - tick / 2;
    uint64_t past[TRAINING]; /* `from`, mod tick; in order */

    for (int i = 0; i < TRAINING; i++) {
        const uint64_t one = (watch_tick(tick) - from) % tick;
        int at = i;

        for (; at > 0 && past[at - 1] > one; at--)
            past[at] = past[at - 1];
        past[at] = one;
    }
    return (from + past[TRAINING / 2]) % tick;
}

/* Compute until the clock reads `end`, in steps that get shorter; `units` take a tick. */
static void compute(uint64_t end, uint64_t tick, uint64_t units)
{
    for (;;) {
        const uint64_t now = call(SYS_CLOCK, 0, 0);
        uint64_t step = tick / STEPS;

        if (now + tick / NEAR >= end)
            return;
        if (step > (end - now) / 2)
            step = (end - now) / 2;
        spin(step * units / tick);
    }
}

/* Of a sweep: it begins with the whole lead. */
static uint64_t shorten(uint64_t lead, uint64_t turn)
{
    const uint64_t stage = turn / STAGE;

    return lead - (stage < STAGES ? stage : STAGES - 1) * lead / LEADS;
}

int main(uint64_t argument)
{
    const uint64_t whole = call(SYS_CLOCKS, (argument & HOG_LEAD) * 1000, 0);
    const uint64_t tick = call(SYS_TICK, 0, 0), units = call(SYS_UNITS, tick, 0);
    const uint64_t phase = learn_phase(tick);
    const uint64_t turns = argument & HOG_TURNS ? 2 : 1, mine = argument & HOG_SECOND ? 1 : 0;
    const uint64_t tick_us = tick * 1000 / call(SYS_CLOCKS, 1000000, 0);
    const uint64_t nap = argument & (HOG_TURNS | HOG_FREE) ? tick_us : 0;
    uint64_t told = 0;

    if (argument & HOG_FREE)
        call(SYS_SLEEP, LATER_US + (argument >> HOG_DRAWN) % FIRST * tick_us, 1);
    for (;;) {
        const uint64_t turn = (call(SYS_CLOCK, 0, 0) - phase) / tick;

        if (turn % turns == mine) {
            const uint64_t lead = argument & HOG_SWEEP ? shorten(whole, turn) : whole;

            if (lead != told)
                call(SYS_REPORT, lead, 0);
            told = lead;
            compute(phase + (turn + 1) * tick - lead, tick, units);
            call(SYS_SLEEP, nap, 1);
        } else {
            call(SYS_SLEEP, 0, 1);
        }
    }
}
