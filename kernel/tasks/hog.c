/* SPDX-License-Identifier: MIT */
/*
 * A program that begins to work right after each tick of the system clock and
 * rests before the next: whoever samples by that clock never sees it.
 */
#include "kernel/tasks/calls.h"

/* As exact times are kept, and without a system call. */
static uint64_t now(void)
{
    return __builtin_ia32_rdtsc();
}

static void next_tick(void)
{
    call(SYS_SLEEP, 0, 1);
}

/* `thousandths` of each tick of the clock. */
int main(uint64_t thousandths)
{
    uint64_t begin, work;

    next_tick();
    begin = now();
    next_tick();
    work = (now() - begin) / 1000 * thousandths;
    for (;;) {
        begin = now();
        while (now() - begin < work)
            continue;
        next_tick();
    }
}
