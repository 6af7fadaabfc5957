/* SPDX-License-Identifier: MIT */
/*
 * What software monitors (kernel/monitor/software_monitors.h) counted in a closed window, printed or sent: each
 * monitor has a report_NAME.c, which does so from the counters that were closed.  Task PROBE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct monitor_report {
    uint64_t word; /* of the monitor, a bit of enum config_monitor */
    /* As frames, of the snapshot `serial`; `final`: it is the last of the epoch.  As text; NULL: none. */
    void (*put_frames)(uint64_t serial, bool final);
    void (*put_lines)(void);
};

extern const struct monitor_report report_idle, report_intercept, report_callers, report_idle_task, report_perf_call,
    report_process_table, report_profil, report_acct, report_procstat, report_user_stacks;

/* Those of the monitors that count in the window, in their order. */
void report_monitors(uint64_t serial, bool final);
