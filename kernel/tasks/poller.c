/* SPDX-License-Identifier: MIT */
/* A program that wakes at each tick of the system clock, or at each n-th, and computes for a part of a tick. */
#include "kernel/abi/calls.h"

int main(uint64_t argument)
{
    const uint64_t tick = call(SYS_TICK, 0, 0), thousandths = argument & POLLER_SHARE;
    const uint64_t units = call(SYS_UNITS, tick * thousandths / 1000, 0);
    const uint64_t passed = (argument >> POLLER_PASSES) * tick / call(SYS_CLOCKS, 1000, 0); /* us */

    for (;;) {
        call(SYS_SLEEP, passed, 1);
        spin(units);
    }
}
