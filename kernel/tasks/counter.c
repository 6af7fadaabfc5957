/* SPDX-License-Identifier: MIT */
/*
 * A CPU-bound program: waits a second, until other tasks run, counts to a number, reports
 * the clock units that it took, and ends.
 */
#include "kernel/abi/calls.h"

#define WAIT_US 1000000

int main(uint64_t number)
{
    uint64_t begin;

    call(SYS_SLEEP, WAIT_US, 1);
    begin = call(SYS_CLOCK, 0, 0);
    spin(number);
    call(SYS_REPORT, call(SYS_CLOCK, 0, 0) - begin, 0);
    return 0;
}
