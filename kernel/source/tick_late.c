/* SPDX-License-Identifier: MIT */
/*
 * A late tick: whether the image held it up, or nobody in it (docs/ACCOUNTING.md,
 * "Late, masked, stolen").  Out of line: other ticks pay nothing for it.
 */
#include "kernel/source/tick_record.h"

/*
 * When the account last changed its cell, but for the other source's handlers: they
 * interrupted the same code, and what they held up is taken off the lateness.
 */
static uint64_t last_change(const struct probe *p)
{
    const struct probe *const o = p->peer;

    if (o != 0 && account.last - o->busy_from <= o->busy_to - o->busy_from)
        return o->busy_since;
    return account.last;
}

/*
 * A tick is taken only where interrupts are on, and each stretch in which they are off
 * ends with a change of cell.  So they were on from the last change until the tick.
 * When that change was, the account knows to a way in and a way out: a handler ends
 * some instructions later than it was foreseen to (`tasks=calls` shows it).
 */
static bool were_enabled(const struct probe *p, uint64_t since)
{
    return (int64_t)(last_change(p) + account_entry_cost + account_exit_cost - since) <= 0;
}

uint64_t tick_record_late(struct probe *p, struct probe_event *e, uint32_t accounted)
{
    e->enabled = accounted != ACCOUNT_OFF && were_enabled(p, e->sample.time - e->lateness);
    tick_enter(p, e, accounted);
    return probe_tick_late(p, e);
}
