/* SPDX-License-Identifier: MIT */
/*
 * A program that has a device raise a storm of interrupts for some seconds, then none for
 * as long, again and again; reports the interrupts of each storm.
 */
#include "kernel/abi/calls.h"

#define PHASE_US 4000000

int main(uint64_t argument)
{
    const uint64_t work = call(SYS_CLOCKS, argument & ~(uint64_t)STORM_OPEN, 0);
    const uint64_t units = call(SYS_UNITS, work, 0);

    for (;;) {
        call(SYS_SLEEP, PHASE_US, 0);
        if (call(SYS_STORM, units, argument & STORM_OPEN ? 1 : 0) != 0)
            return 1;
        call(SYS_SLEEP, PHASE_US, 0);
        call(SYS_REPORT, call(SYS_CALM, 0, 0), 0);
    }
}
