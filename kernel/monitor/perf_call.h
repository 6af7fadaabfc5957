/* SPDX-License-Identifier: MIT */
/*
 * The performance counters of SYS_PERF, and monitor=perfcall, which reads them by windows (Yevtushenko,
 * "Measuring CPU Usage", the second method).  They are sums over the account, so that they need account=on or log.
 */
#pragma once

#include <stdbool.h>

#include "kernel/abi/perf_counters.h"
#include "kernel/monitor/software_monitors.h"

#define PERF_PROCESSORS 1u

/* The counters at the TSC `now`; false where no account is kept.  Interrupts off. */
bool perf_counters_read(struct perf_counters *to, uint64_t now);

/* A window begins at the TSC `now`; before the first one no time was interrupts'.  Interrupts off. */
void perf_counters_begin(uint64_t now);
