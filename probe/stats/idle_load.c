/* SPDX-License-Identifier: MIT */
/* The load by the idle counter. */
/* Uses vector registers: task context only. */
#include "probe/stats/idle_load.h"

struct idle_load idle_between(const struct wire_idle *from, const struct wire_idle *to)
{
    return (struct idle_load){
        .idle = to->idle - (from != NULL ? from->idle : 0),
        .clock = to->end - (from != NULL ? from->end : to->begin),
        .io = to->io - (from != NULL ? from->io : 0),
        .halts = to->halts - (from != NULL ? from->halts : 0),
    };
}

static double percent(double part, uint64_t whole)
{
    return whole != 0 ? 100.0 * part / (double)whole : 0.0;
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
    const double seconds = clock_hz != 0 ? (double)l->clock / (double)clock_hz : 0.0;

    buf_parts(b, "idle     ", REAL(percent((double)l->idle, l->clock), 4), " % of ", REAL(seconds, 3), " s (",
              REAL(percent((double)l->io, l->clock), 4), " % for devices), load ",
              REAL(idle_load_busy(l), 4), " %, ", DECIMAL(l->halts), " halts, resolution ",
              REAL(idle_load_resolution(l, empty), 4), " points");
}
