/* SPDX-License-Identifier: MIT */
/* The load by a task at idle priority, and by performance counters. */
/* Uses vector registers: task context only. */
#include "probe/stats/load_methods.h"

static double seconds(uint64_t clock, uint64_t clock_hz)
{
    return clock_hz != 0 ? (double)clock / (double)clock_hz : 0.0;
}

double idle_task_busy(const struct wire_idletask_row *r)
{
    const double whole = r->took != 0 ? (double)r->calibrated * (double)(r->end - r->begin) / (double)r->took : 0.0;

    return whole > 0.0 ? 100.0 - 100.0 * (double)r->count / whole : 0.0;
}

void idle_task_print(struct text_buf *b, const char *name, const struct wire_idletask_row *r, uint64_t clock_hz)
{
    buf_parts(b, "idletask ", name, " counted to ", DECIMAL(r->count), " in ",
              REAL(seconds(r->end - r->begin, clock_hz), 3), " s, load ", REAL(idle_task_busy(r), 4), " %");
}

double perf_load_percent(uint64_t part, const struct wire_perfcall *p)
{
    return p->time != 0 ? 100.0 * (double)part / (double)p->time : 0.0;
}

void perf_load_print(struct text_buf *b, const struct wire_perfcall *p, uint64_t clock_hz)
{
    buf_parts(b, "perfcall idle ", REAL(perf_load_percent(p->idle, p), 4), " %, busy ",
              REAL(perf_load_percent(p->busy, p), 4), " %, interrupt ", REAL(perf_load_percent(p->interrupt, p), 4),
              " % of ", REAL(seconds(p->time, clock_hz), 3), " s");
}
