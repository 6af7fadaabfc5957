/* SPDX-License-Identifier: MIT */
/*
 * A program that computes for a while in each period, off the clock's grid and
 * exact to the clock unit: the n-th burst begins n periods after the first,
 * whatever the ones before took.  Now and then it reports when one began.
 */
#include "kernel/abi/calls.h"

#define REPORTED 40 /* of so many bursts one */

int main(uint64_t argument)
{
    const uint64_t period = call(SYS_CLOCKS, argument & ISOCHRONOUS_PERIOD, 0);
    const uint64_t burst = call(SYS_CLOCKS, argument >> ISOCHRONOUS_BURST, 0);
    const uint64_t units = call(SYS_UNITS, burst, 0);
    const uint64_t origin = call(SYS_CLOCK, 0, 0);

    for (uint64_t turn = 1;; turn++) {
        call(SYS_UNTIL, origin + turn * period, 0);
        if (turn % REPORTED == 0)
            call(SYS_REPORT, call(SYS_CLOCK, 0, 0), 0);
        spin(units);
    }
}
