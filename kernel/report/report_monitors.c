/* SPDX-License-Identifier: MIT */
/* The table of the reports of software monitors. */
#include "kernel/report/report_monitors.h"

#include "kernel/lib/run_state.h"
#include "kernel/monitor/software_monitors.h"

static const struct monitor_report *const reports[] = {
    &report_idle, &report_intercept, &report_callers, &report_idle_task, &report_perf_call, &report_process_table,
    &report_profil, &report_acct, &report_procstat, &report_user_stacks,
};

static void report(const struct monitor_report *r, uint64_t serial, bool final)
{
    if (run_in_frames())
        r->put_frames(serial, final);
    else if (r->put_lines != 0)
        r->put_lines();
}

void report_monitors(uint64_t serial, bool final)
{
    for (unsigned i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (software_monitors_has(reports[i]->word))
            report(reports[i], serial, final);
}
