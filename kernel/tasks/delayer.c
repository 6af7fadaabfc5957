/* SPDX-License-Identifier: MIT */
/*
 * The test program of Stefanov and Gradskov, "Analysis of CPU Usage Data Properties" (2016), Figure 3: the same
 * call again and again, with a delay in it.  Without one it is a call whose arguments are refused at once, as
 * theirs was.  The first call begins at a drawn phase of the system clock; reports
 * the clock units of all.
 */
#include "kernel/abi/calls.h"

#define THOUSAND 1000u

int main(uint64_t argument)
{
    const uint64_t delay = argument & DELAYER_DELAY, turns = (argument >> DELAYER_TURNS & DELAYER_MOST) * THOUSAND;
    const uint64_t drawn = argument >> DELAYER_DRAWN;
    uint64_t begin;

    call(SYS_SLEEP, 1, 1);
    call(SYS_SLEEP, 1 + drawn % DELAYER_PHASES, 0);
    begin = call(SYS_CLOCK, 0, 0);
    for (uint64_t turn = 0; turn < turns; turn++) {
        if (delay == 0)
            call(SYS_DISK, 0, 0);
        else
            call(SYS_SLEEP, delay, 0);
    }
    call(SYS_REPORT, call(SYS_CLOCK, 0, 0) - begin, 0);
    return 0;
}
