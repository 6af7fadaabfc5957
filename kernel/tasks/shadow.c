/* SPDX-License-Identifier: MIT */
/* A program that runs the path of kernel/load/loads.h again and again, for `nanoseconds` each time. */
#include "kernel/abi/calls.h"

int main(uint64_t nanoseconds)
{
    const uint64_t units = call(SYS_UNITS, call(SYS_CLOCKS, nanoseconds, 0), 0);

    for (;;)
        call(SYS_SHADOW, units, 0);
}
