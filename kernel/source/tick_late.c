/* SPDX-License-Identifier: MIT */
/*
 * A late tick: MASKED, if this image had interrupts off, or else STOLEN (docs/ACCOUNTING.md,
 * "Late, masked, stolen").  Out of line, so that other ticks pay nothing for it.
 */
#include "kernel/source/tick_record.h"

/*
 * The time of the account's last change of cell.  The other sampler's handlers do not count:
 * they interrupted the same code, and their time is taken off the lateness.
 */
static uint64_t last_change(const struct probe *p)
{
    const struct probe *const o = p->peer;

    if (o != 0 && account.last - o->busy_from <= o->busy_to - o->busy_from)
        return o->busy_since;
    return account.last;
}

/*
 * Whether interrupts were on since `since`.  A tick is taken only where they are on, and each
 * section with interrupts off ends with a change of cell.  So they were on from the last change
 * until the tick.  The time of that change may be off by the cost of an entry and an exit: a
 * handler ends some instructions later than the account assumed (`tasks=calls` shows it).
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
