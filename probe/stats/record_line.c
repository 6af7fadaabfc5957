/* SPDX-License-Identifier: MIT */
/* Prints the lines of the load by a task at idle priority, and by performance counters. */
/* Uses vector registers: task context only. */
#include "probe/stats/record_line.h"

static double seconds(uint64_t clock, uint64_t clock_hz)
{
    return clock_hz != 0 ? (double)clock / (double)clock_hz : 0.0;
}

double idle_task_busy(const struct wire_idletask_row *r)
{
    const double whole = r->took != 0 ? (double)r->calibrated * (double)(r->end - r->begin) / (double)r->took : 0.0;

    return whole > 0.0 ? 100.0 - 100.0 * (double)r->count / whole : 0.0;
}

double load_percent(uint64_t part, uint64_t time)
{
    return time != 0 ? 100.0 * (double)part / (double)time : 0.0;
}

static void print_idletask(struct text_buf *b, const char *name, const void *of, uint64_t clock_hz)
{
    const struct wire_idletask_row *const r = of;

    buf_parts(b, "idletask ", name, " counted to ", DECIMAL(r->count), " in ",
              REAL(seconds(r->end - r->begin, clock_hz), 3), " s, load ", REAL(idle_task_busy(r), 4), " %");
}

/* As the paper's loop prints it. */
static void print_perfcall(struct text_buf *b, const char *name, const void *of, uint64_t clock_hz)
{
    const struct wire_perfcall *const p = of;

    (void)name;
    buf_parts(b, "perfcall idle ", REAL(load_percent(p->idle, p->time), 4), " %, busy ",
              REAL(load_percent(p->busy, p->time), 4), " %, interrupt ", REAL(load_percent(p->interrupt, p->time), 4),
              " % of ", REAL(seconds(p->time, clock_hz), 3), " s");
}

bool record_line_print(struct text_buf *b, enum wire_type type, const char *name, const void *of, uint64_t clock_hz)
{
    switch (type) {
    case WIRE_IDLETASK: print_idletask(b, name, of, clock_hz); return true;
    case WIRE_PERFCALL: print_perfcall(b, name, of, clock_hz); return true;
    default: return false;
    }
}
