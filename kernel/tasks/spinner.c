/* SPDX-License-Identifier: MIT */
/* A CPU-bound program: reports the clock units that each piece of work took. */
#include "kernel/abi/calls.h"

int main(uint64_t units)
{
    for (;;) {
        const uint64_t begin = call(SYS_CLOCK, 0, 0);

        spin(units);
        call(SYS_REPORT, call(SYS_CLOCK, 0, 0) - begin, 0);
    }
}
