/* SPDX-License-Identifier: MIT */
/*
 * A program that raises SMIs of `argument` nanoseconds each, so many in a period that
 * they make its share of kernel time; reports the clock units of all SMIs so far.
 */
#include "kernel/abi/calls.h"

#define PERIODS 24 /* from one report to the next: about a second */

int main(uint64_t argument)
{
    const uint64_t length = call(SYS_CLOCKS, argument, 0);
    const uint64_t units = call(SYS_UNITS, length, 0);
    uint64_t total = 0;

    for (unsigned period = 1;; period++) {
        const uint64_t user = call(SYS_PACE, PACE_USER, 0);
        const uint64_t smis = call(SYS_PACE, PACE_KERNEL, 0) / units;

        for (uint64_t i = 0; i < smis; i++) {
            spin(user / smis);
            total = call(SYS_SMI, length, 0);
        }
        if (period % PERIODS == 0)
            call(SYS_REPORT, total, 0);
        call(SYS_REST, 0, 0);
    }
}
