/* SPDX-License-Identifier: MIT */
/* A program that wakes at each tick of the clock and computes for thousandths of it. */
#include "kernel/spin.h"
#include "kernel/tasks/calls.h"

int main(uint64_t thousandths)
{
    const uint64_t units = call(SYS_UNITS, call(SYS_TICK, 0, 0) * thousandths / 1000, 0);

    for (;;) {
        call(SYS_SLEEP, 0, 1);
        spin(units);
    }
}
