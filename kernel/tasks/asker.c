/* SPDX-License-Identifier: MIT */
/*
 * A program that makes calls and services that are to be denied, each with the
 * largest arguments: those that `asked` has a bit for (kernel/sched/grants.h).  Reports
 * how many were not.
 */
#include "kernel/tasks/calls.h"

#define CALLS 32u /* bits of calls, and as many of services */

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
