/* SPDX-License-Identifier: MIT */
/*
 * Records user events: 0, 1, 2 and so on as event 1, MEASURED at a time, with work in between; and
 * reports how many TSC clocks more these took than the same loop without them.
 */
#include "kernel/abi/monitor.h"

#define MEASURED 100u /* fewer than find room */
#define WORK     3000u

static uint64_t value;

__attribute__((noipa)) static uint64_t with_events(void)
{
    const uint64_t begin = monitor_tsc();

    for (uint64_t i = 0; i < MEASURED; i++)
        monitor(1, value + i);
    return monitor_tsc() - begin;
}

__attribute__((noipa)) static uint64_t without(void)
{
    const uint64_t begin = monitor_tsc();

    for (uint64_t i = 0; i < MEASURED; i++)
        __asm__ volatile("" : : "r"(value + i));
    return monitor_tsc() - begin;
}

int main(void)
{
    for (;;) {
        const uint64_t bare = without();

        call(SYS_MONITOR, 0, 0);
        call(SYS_REPORT, with_events() - bare, 0);
        value += MEASURED;
        spin(WORK);
        call(SYS_SLEEP, 1000, 0);
    }
}
