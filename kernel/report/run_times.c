/* SPDX-License-Identifier: MIT */
/* Keeps the times of the run. */
#include "kernel/report/run.h"

#include "kernel/lib/run_state.h"
#include "kernel/sched/timer.h"

#define SECOND_US 1000000u

struct run run; /* described in run.h */

void run_set_end(void)
{
    const uint64_t seconds = run_config()->seconds;

    run.end = seconds != 0 ? run.begin + timer_us_to_clocks(seconds * SECOND_US) : UINT64_MAX;
}
