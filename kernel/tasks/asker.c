/* SPDX-License-Identifier: MIT */
/*
 * A program that makes the calls and services whose bits are set in `asked`
 * (kernel/sched/grants.h), each with the largest arguments.  All shall be denied; it
 * reports how many were not.
 */
#include "kernel/abi/calls.h"

#define CALLS 32u /* bits for calls, and as many for services */

int main(uint64_t asked)
{
    uint64_t answered = 0;

    for (uint64_t i = 0; i < CALLS; i++)
        if (asked >> i & 1 && call(i, UINT64_MAX, UINT64_MAX) != UINT64_MAX)
            answered++;
    for (uint64_t i = 0; i < CALLS; i++)
        if (asked >> (CALLS + i) & 1 && serve(i, UINT64_MAX) != UINT64_MAX)
            answered++;
    call(SYS_REPORT, answered, 0);
    return 0;
}
