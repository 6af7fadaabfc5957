/* SPDX-License-Identifier: MIT */
/*
 * Counts at idle priority, as the idle thread of a load meter does.  First, at the time-critical priority that it
 * is made with, it finds out how far it counts where nothing else runs; interrupts come then as they do later.
 */
#include "kernel/abi/calls.h"
#include "kernel/abi/task_priority.h"

#define CALIBRATED_NS 20000000u /* at least */

static struct idle_count counts;

static __attribute__((noinline)) void count(uint64_t times)
{
    while (times-- != 0)
        counts.count++;
}

static uint64_t time_of(uint64_t times)
{
    const uint64_t begin = call(SYS_CLOCK, 0, 0);

    count(times);
    return call(SYS_CLOCK, 0, 0) - begin;
}

int main(void)
{
    const uint64_t enough = call(SYS_CLOCKS, CALIBRATED_NS, 0);

    for (counts.calibrated = 1024; counts.took < enough; counts.calibrated *= 2)
        counts.took = time_of(counts.calibrated);
    counts.calibrated /= 2;
    counts.count = 0;
    call(SYS_IDLE_COUNT, (uint64_t)&counts, 0);
    call(SYS_PRIORITY, (uint64_t)PRIORITY_IDLE, 0);
    count(UINT64_MAX);
    return 0;
}
