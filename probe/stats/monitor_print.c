/* SPDX-License-Identifier: MIT */
/* Computes and prints what the records of software monitors say. */
/* Uses vector registers: task context only. */
#include "probe/stats/monitor_print.h"

#define MICRO 1e6

static double seconds(uint64_t clock, uint64_t clock_hz)
{
    return clock_hz != 0 ? (double)clock / (double)clock_hz : 0.0;
}

double idle_task_busy(const struct wire_idletask_row *r)
{
    const double whole = r->took != 0 ? (double)r->calibrated * (double)(r->end - r->begin) / (double)r->took : 0.0;

    return whole > 0.0 ? 100.0 - 100.0 * (double)r->count / whole : 0.0;
}

static double percent(double part, uint64_t whole)
{
    return whole != 0 ? 100.0 * part / (double)whole : 0.0;
}

double load_percent(uint64_t part, uint64_t time)
{
    return percent((double)part, time);
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

/* ---- the idle counter ---- */

struct idle_load idle_between(const struct wire_idle *from, const struct wire_idle *to)
{
    return (struct idle_load){
        .idle = to->idle - (from != NULL ? from->idle : 0),
        .clock = to->end - (from != NULL ? from->end : to->begin),
        .io = to->io - (from != NULL ? from->io : 0),
        .halts = to->halts - (from != NULL ? from->halts : 0),
    };
}

double idle_load_busy(const struct idle_load *l)
{
    return percent((double)l->clock - (double)l->idle, l->clock);
}

double idle_load_resolution(const struct idle_load *l, uint64_t empty)
{
    return percent((double)l->halts * (double)empty, l->clock);
}

void idle_load_print(struct text_buf *b, const struct idle_load *l, uint64_t clock_hz, uint64_t empty)
{
    buf_parts(b, "idle     ", REAL(load_percent(l->idle, l->clock), 4), " % of ",
              REAL(seconds(l->clock, clock_hz), 3), " s (", REAL(load_percent(l->io, l->clock), 4),
              " % for devices), load ", REAL(idle_load_busy(l), 4), " %, ", DECIMAL(l->halts), " halts, resolution ",
              REAL(idle_load_resolution(l, empty), 4), " points");
}

/* ---- interrupts by vector ---- */

static const char *micro(char digits[FORMAT_DIGITS], uint64_t time, uint64_t count, uint64_t clock_hz)
{
    if (count == 0 || clock_hz == 0)
        return "n.a.";
    return format_real(digits, MICRO * (double)time / (double)count / (double)clock_hz, 3, "");
}

void intercept_print_head(char text[TEXT_BUF_SIZE])
{
    struct text_buf b = {.text = text, .size = TEXT_BUF_SIZE};

    buf_left(&b, "Interrupt", 12);
    buf_right(&b, "Count", 10);
    buf_right(&b, "%", 9);
    buf_right(&b, "Mean us", 12);
    buf_right(&b, "Greatest", 12);
    buf_right(&b, "Latency us", 12);
    buf_right(&b, "Greatest", 12);
}

void intercept_print(char text[TEXT_BUF_SIZE], const struct wire_intercept *head, const struct wire_intercept_row *r,
                     uint64_t clock_hz)
{
    struct text_buf b = {.text = text, .size = TEXT_BUF_SIZE};
    const uint64_t window = head->end - head->begin;
    char digits[FORMAT_DIGITS];

    buf_left(&b, r->name.bytes, 12);
    buf_right(&b, DECIMAL(r->count), 10);
    buf_right(&b, window != 0 ? REAL(load_percent(r->time, window), 4) : "n.a.", 9);
    buf_right(&b, micro(digits, r->time, r->count, clock_hz), 12);
    buf_right(&b, micro(digits, r->greatest, 1, clock_hz), 12);
    buf_right(&b, micro(digits, r->latency, r->latencies, clock_hz), 12);
    buf_right(&b, r->latencies != 0 ? micro(digits, r->latency_greatest, 1, clock_hz) : "n.a.", 12);
}
