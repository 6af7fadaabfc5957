/* SPDX-License-Identifier: MIT */
/*
 * A program that sleeps again and again: reports the clock units from the end of
 * one sleep to the end of the next.
 */
#include "kernel/abi/calls.h"

#define PAUSE 250000      /* us between measured sleeps: a report is no flood */

int main(uint64_t argument)
{
    const uint64_t on_grid = (argument & SLEEPER_GRID) != 0;
    const uint64_t microseconds = argument & ~(uint64_t)SLEEPER_GRID;

    for (;;) {
        uint64_t begin;

        call(SYS_SLEEP, PAUSE, 1); /* each measure begins right after a clock tick */
        begin = call(SYS_CLOCK, 0, 0);
        call(SYS_SLEEP, microseconds, on_grid);
        call(SYS_REPORT, call(SYS_CLOCK, 0, 0) - begin, 0);
    }
}
