/* SPDX-License-Identifier: MIT */
/*
 * A program that loops, makes calls that are refused at once, and sleeps, in turns: the loads of Stefanov and
 * Gradskov, "Analysis of CPU Usage Data Properties" (2016), 3.1.
 */
#include "kernel/abi/calls.h"

#define MICROSECOND 1000u /* ns */

int main(uint64_t argument)
{
    const uint64_t loop = call(SYS_CLOCKS, (argument & MIXER_LOOP) * MICROSECOND, 0),
                   units = call(SYS_UNITS, loop, 0);
    const uint64_t calls = argument >> MIXER_CALLS & MIXER_MOST, pause = argument >> MIXER_SLEEP & MIXER_MOST;

    for (;;) {
        spin(units);
        for (uint64_t i = 0; i < calls; i++)
            call(SYS_DISK, 0, 0);
        if (pause != 0)
            call(SYS_SLEEP, pause, 0);
    }
}
