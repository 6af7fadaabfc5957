/* SPDX-License-Identifier: MIT */
/*
 * What software monitors (kernel/monitor/software_monitors.h) counted in a closed window, printed or sent: each
 * monitor has a report_NAME.c, which does so from the counters that were closed.  Task PROBE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/monitor/software_monitors.h"

struct monitor_report {
    /* As frames, of the snapshot `serial`; `final`: it is the last of the epoch.  As text; NULL: none. */
    void (*put_frames)(uint64_t serial, bool final);
    void (*put_lines)(void);
};

#define REPORT_DECLARE(name) extern const struct monitor_report report_##name;
SOFTWARE_MONITORS(REPORT_DECLARE)
#undef REPORT_DECLARE

/* Those of the monitors that count in the window, in their order. */
void report_monitors(uint64_t serial, bool final);
