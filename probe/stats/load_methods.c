/* SPDX-License-Identifier: MIT */
/* The load by a task at idle priority, and by performance counters. */
/* Uses vector registers: task context only. */
#include "probe/stats/load_methods.h"

static double seconds(uint64_t clock, uint64_t clock_hz)
{
    return clock_hz != 0 ? (double)clock / (double)clock_hz : 0.0;
}

double idle_task_busy(const struct idle_task_load *l)
{
    const double whole = l->took != 0 ? (double)l->calibrated * (double)l->clock / (double)l->took : 0.0;

    return whole > 0.0 ? 100.0 - 100.0 * (double)l->count / whole : 0.0;
}

void idle_task_print(struct text_buf *b, const char *name, const struct idle_task_load *l, uint64_t clock_hz)
{
    buf_parts(b, "idletask ", name, " counted to ", DECIMAL(l->count), " in ", REAL(seconds(l->clock, clock_hz), 3),
              " s, load ", REAL(idle_task_busy(l), 4), " %");
}

double perf_load_percent(uint64_t part, const struct perf_load *l)
{
    return l->time != 0 ? 100.0 * (double)part / (double)l->time : 0.0;
}

void perf_load_print(struct text_buf *b, const struct perf_load *l, uint64_t clock_hz)
{
    buf_parts(b, "perfcall idle ", REAL(perf_load_percent(l->idle, l), 4), " %, busy ", REAL(perf_load_percent(l->busy, l), 4),
              " %, interrupt ", REAL(perf_load_percent(l->interrupt, l), 4), " % of ", REAL(seconds(l->time, clock_hz), 3), " s");
}
