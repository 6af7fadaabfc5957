/* SPDX-License-Identifier: MIT */
/*
 * A pause is an event at its begin, and another at its end, so that the time between is told as not covered.  Stubs
 * of calls look at the mask, where classes that have rules stay: sites where no code is keep them from recording.
 */
#include "kernel/tick/trace_pause.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace_select.h"
#include "kernel/trace/trace_tree.h"

static bool paused; /* interrupts off */

/* What a tree of classes needs, it needs from everywhere. */
void trace_set_sites(const struct config *w)
{
    const uint32_t everywhere = trace_tree_classes(w);

    for (uint32_t i = 0; w->monitor & MONITOR_EVENTS && i < w->events.count; i++) {
        const struct event_spec *const e = &w->events.spec[i];

        if (e->low != 0 || e->high != UINT64_MAX)
            event_ring_set_site(&trace_ring, e->classes & ~everywhere, e->low, e->high);
    }
}

bool trace_is_paused(void)
{
    return paused;
}

void trace_open(const struct config *w)
{
    trace_set_sites(w);
    trace_ring.open = trace_classes_of_any(w);
    paused = false;
}

void trace_tell(enum trace_class class, uint64_t time, uint64_t argument)
{
    if (!paused)
        event_ring_control(&trace_ring, time, class, argument);
}

void trace_pause(enum trace_pause why, uint64_t time)
{
    if (!trace_is_on() || paused)
        return;
    event_ring_control(&trace_ring, time, TRACE_PAUSE, why);
    paused = true;
    trace_ring.open = trace_ring.ruled;
    event_ring_close_sites(&trace_ring, TRACE_CALLS);
    trace_set_task(current->traced);
}

void trace_continue(uint64_t time)
{
    if (!trace_is_on() || !paused)
        return;
    event_ring_open_sites(&trace_ring, TRACE_CALLS);
    trace_open(run_config());
    trace_set_task(current->traced);
    event_ring_control(&trace_ring, time, TRACE_CONTINUE, task_event(current));
    trace_event(TRACE_RESUME, time, trace_exit(0, account_cell_number(&current->account, account.cell)));
}
