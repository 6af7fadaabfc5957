/* SPDX-License-Identifier: MIT */
/*
 * Two load meters: METER_PERF reads the performance counters each second, and reports idle, busy and interrupt time
 * of that second in thousandths of a percent; METER_PS reads the table of processes each second,
 * and reports how many there are.
 */
#include "kernel/abi/calls.h"
#include "probe/stats/process_entry.h"

#define SECOND_US 1000000u
#define WHOLE     100000u /* thousandths of a percent */
#define ENTRIES   128u

static struct process_entry table[ENTRIES];

static void report_part(uint64_t now, uint64_t before, uint64_t whole)
{
    call(SYS_REPORT, ((now - before) * WHOLE + whole / 2) / whole, 0);
}

static void perf(void)
{
    struct perf_counters before, now;

    call(SYS_PERF, (uint64_t)&before, sizeof before);
    for (;; before = now) {
        call(SYS_SLEEP, SECOND_US, 0);
        call(SYS_PERF, (uint64_t)&now, sizeof now);
        report_part(now.idle, before.idle, now.time - before.time);
        report_part(now.busy, before.busy, now.time - before.time);
        report_part(now.interrupt, before.interrupt, now.time - before.time);
    }
}

static void processes(void)
{
    for (;;) {
        call(SYS_SLEEP, SECOND_US, 0);
        call(SYS_REPORT, call(SYS_PS, (uint64_t)table, sizeof table), 0);
    }
}

int main(uint64_t what)
{
    if (what == METER_PERF)
        perf();
    processes();
    return 0;
}
