/* SPDX-License-Identifier: MIT */
/* What SYS_PERF writes for each processor: clock units, cumulative; time is the sum of the others. */
#pragma once

#include <stdint.h>

struct perf_counters {
    uint64_t time, idle, busy;
    uint64_t interrupt; /* handlers of devices, the probe's ticks among them */
};
