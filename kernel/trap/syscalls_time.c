/* SPDX-License-Identifier: MIT */
/* System calls on time: to sleep, to read the clock, to convert times to its units. */

#include "drivers/io.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/load/loads.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/timer.h"

#define LONGEST_SLEEP 100000000000000ull /* us: three years; in clock units that fits 64 bits */
#define LONGEST_NS    (LONGEST_SLEEP * 1000)
#define SECOND_US     1000000u
#define SECOND_NS     1000000000u

uint64_t sys_sleep(uint64_t microseconds, uint64_t on_grid)
{
    const uint64_t bounded = microseconds < LONGEST_SLEEP ? microseconds : LONGEST_SLEEP;
    const uint64_t wake = rdtsc() + timer_us_to_clocks(bounded);

    timer_sleep_until(on_grid ? timer_tick_after(wake) : wake);
    return 0;
}

uint64_t sys_until(uint64_t clock, uint64_t unused)
{
    (void)unused;
    timer_sleep_until(run_state->start + clock);
    return 0;
}

uint64_t sys_clock(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return rdtsc() - run_state->start;
}

uint64_t sys_tick(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return timer_period() >> 16;
}

uint64_t sys_clocks(uint64_t nanoseconds, uint64_t unused)
{
    (void)unused;
    return mul_div64(nanoseconds < LONGEST_NS ? nanoseconds : LONGEST_NS,
                     timer_us_to_clocks(SECOND_US), SECOND_NS);
}

uint64_t sys_units(uint64_t clocks, uint64_t unused)
{
    (void)unused;
    return work_pacer_units_of(clocks);
}
