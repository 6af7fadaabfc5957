/* SPDX-License-Identifier: MIT */
/*
 * The adversary of McCanne and Torek ("A CPU Adversary"), from their description:
 * it finds out when the system clock ticks, computes until just before a tick,
 * looking at the time all the while, and sleeps while the clock ticks.  Who is
 * sampled by the clock is never charged that way.
 *
 * In their systems such a sleep lasted until the tick after the next, so that it
 * took two hogs to use up a processor.  With HOG_TURNS a hog takes every other
 * turn of the clock here, and leaves the rest to its twin.
 */
#include "kernel/spin.h"
#include "kernel/tasks/calls.h"

#define TRAINING 20 /* sleeps until the phase of the clock is thought to be known */
#define STEPS    50 /* of a clock tick: how often the hog looks at the time at least */
#define NEAR     1000 /* of a clock tick: it is time */

/* Clock units by which the clock's ticks are past whole multiples of `tick`: the least that was seen. */
static uint64_t learn_phase(uint64_t tick)
{
    uint64_t least = tick;

    for (int i = 0; i < TRAINING; i++) {
        uint64_t phase;

        call(SYS_SLEEP, 0, 1);
        phase = call(SYS_CLOCK, 0, 0) % tick;
        if (phase < least)
            least = phase;
    }
    return least;
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

int main(uint64_t argument)
{
    const uint64_t margin = call(SYS_CLOCKS, (argument & HOG_MARGIN) * 1000, 0);
    const uint64_t tick = call(SYS_TICK, 0, 0), units = call(SYS_UNITS, tick, 0);
    const uint64_t phase = learn_phase(tick);
    const uint64_t turns = argument & HOG_TURNS ? 2 : 1, mine = argument & HOG_SECOND ? 1 : 0;
    const uint64_t nap = turns == 2 ? tick * 1000 / call(SYS_CLOCKS, 1000000, 0) : 0;

    for (;;) {
        /* Some margin here too: it may wake sooner after a tick than ever before. */
        const uint64_t turn = (call(SYS_CLOCK, 0, 0) + margin / 2 - phase) / tick;

        if (turn % turns == mine) {
            compute(phase + (turn + 1) * tick - margin, tick, units);
            call(SYS_SLEEP, nap, 1);
        } else {
            call(SYS_SLEEP, 0, 1);
        }
    }
}
