/* SPDX-License-Identifier: MIT */
/* Reports what software monitors counted: each monitor of the table by its report. */
#include "kernel/report/report_monitors.h"

#include "kernel/lib/run_state.h"

static const struct {
    const struct software_monitor *monitor;
    const struct monitor_report *report;
} rows[] = {
#define ROW(name) { &monitor_##name, &report_##name },
    SOFTWARE_MONITORS(ROW)
#undef ROW
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
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (software_monitors_has(rows[i].monitor->word))
            report(rows[i].report, serial, final);
}
