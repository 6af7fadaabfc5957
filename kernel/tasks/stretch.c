/* SPDX-License-Identifier: MIT */
/*
 * A program that computes once in each cycle of some ticks of the system clock, at a fixed place between or over
 * ticks (Thurner, "Performance Measurement Using System Monitors", figure 4).  Programs of the same cycle are in step.
 */
#include "kernel/abi/spin_loop.h"
#include "kernel/tasks/calls.h"

int main(uint64_t argument)
{
    const uint64_t tick = call(SYS_TICK, 0, 0);
    const uint64_t begin = (argument & STRETCH_BEGIN) * tick / 1000;
    const uint64_t units = call(SYS_UNITS, (argument >> STRETCH_LENGTH & STRETCH_BEGIN) * tick / 1000, 0);
    const uint64_t cycle = argument >> STRETCH_CYCLE;
    uint64_t first, number;

    call(SYS_SLEEP, 0, 1);
    first = call(SYS_CLOCK, 0, 0); /* right after a tick */
    number = first / tick;
    for (;;) {
        number = (number / cycle + 1) * cycle;
        call(SYS_UNTIL, number * tick + first % tick + begin, 0);
        spin(units);
    }
}
