/* SPDX-License-Identifier: MIT */
/*
 * A program that computes once in each cycle of some ticks of the system clock, at a fixed place between or over
 * ticks (Thurner, "Performance Measurement Using System Monitors", figure 4).
 * Programs of the same cycle are in step.
 */
#include "kernel/abi/calls.h"

#define WATCHED 20 /* ticks; others may delay the end of a sleep */

/* When a tick was: the earliest end of some sleeps until a tick, less whole ticks. */
static uint64_t watch_ticks(uint64_t tick)
{
    uint64_t first = 0;

    for (unsigned i = 0; i < WATCHED; i++) {
        uint64_t now, past;

        call(SYS_SLEEP, 0, 1);
        now = call(SYS_CLOCK, 0, 0);
        past = (now - first) % tick; /* behind the phase of the earliest, or before it by the rest */
        if (i == 0 || past > tick / 2)
            first = now;
    }
    return first;
}

int main(uint64_t argument)
{
    const uint64_t tick = call(SYS_TICK, 0, 0);
    const uint64_t begin = (argument & STRETCH_BEGIN) * tick / 1000;
    const uint64_t units = call(SYS_UNITS, (argument >> STRETCH_LENGTH & STRETCH_BEGIN) * tick / 1000, 0);
    const uint64_t cycle = argument >> STRETCH_CYCLE;
    const uint64_t first = watch_ticks(tick);
    uint64_t number = first / tick;

    for (;;) {
        number = (number / cycle + 1) * cycle;
        call(SYS_UNTIL, number * tick + first % tick + begin, 0);
        spin(units);
    }
}
