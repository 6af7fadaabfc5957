/* SPDX-License-Identifier: MIT */
/* Computes times of idle counters and of intercepted interrupts. */
#include "tools/analysis/monitor_times.h"

uint64_t epoch_window_begin(const struct epoch *e)
{
    return e->head_count ? e->first_head.begin : 0;
}

bool idle_exact(const struct epoch *e, uint64_t serial, uint64_t *time)
{
    const struct snapshot *s = e->snapshot;

    for (uint32_t r = 0; s && s->serial == serial && s->exact && r < s->rows; r++)
        if (s->row[r].id == ROW_IDLE) {
            *time = s->row[r].time[MODE_KERNEL];
            return true;
        }
    return false;
}

uint64_t intercept_handlers(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_INTERCEPT);
    const struct wire_intercept_row *const row = record_row(s, 0);
    uint64_t time = 0;

    for (size_t i = 0; i < s->row.count; i++)
        time += row[i].tick ? 0 : row[i].time;
    return time;
}

bool intercept_exact(const struct epoch *e, uint64_t *time)
{
    const struct wire_intercept *const head = record_last(epoch_kept(e, WIRE_INTERCEPT));
    const struct snapshot *s = e->snapshot;

    if (head->starts != 1 || (e->words_known && config_via_nmi(&e->words)))
        return false;
    if (!s || !s->exact || s->serial != head->serial)
        return false;
    *time = 0;
    for (uint32_t r = 0; r < s->rows; r++)
        *time += s->row[r].time[MODE_INTERRUPT] + s->row[r].masked[MODE_INTERRUPT];
    return true;
}
