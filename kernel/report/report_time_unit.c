/* SPDX-License-Identifier: MIT */
/* The unit of the times of events and of classes of states. */
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"

#define MILLION 1000000u

uint64_t report_time_unit(void)
{
    const uint64_t clocks = tick_facts.calibration.rate.clock_hz / MILLION;

    if (run_config()->stamp == STAMP_OFF)
        return 0;
    return config_given(run_config(), CONFIG_STAMP) && clocks != 0 ? clocks : 1;
}
