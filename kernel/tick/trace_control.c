/* SPDX-License-Identifier: MIT */
/* Events, switched on and off. */
#include "kernel/tick/trace_control.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/call_stubs.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/trace/trace_select.h"

#define MOST_PAGES  256u /* 65536 records */
#define LEAST_PAGES 4u

static struct event_record *memory; /* NULL: none yet; task PROBE and the start, as the next */
static uint64_t records;

static bool are_wanted(const struct config *w)
{
    return (w->monitor & MONITOR_EVENTS) != 0;
}

bool trace_control_plan(const struct config *w, struct refusal *why)
{
    uint64_t pages = MOST_PAGES, longest;

    if (!are_wanted(w) || memory != 0)
        return true;
    longest = page_alloc_longest_run();
    while (pages > longest / 4 && pages >= LEAST_PAGES)
        pages /= 2;
    if (pages < LEAST_PAGES)
        return REFUSE(why, "monitor=events: there is not enough memory for a buffer");
    memory = phys_to_virt(page_alloc_run(pages));
    records = pages * PAGE_SIZE / sizeof *memory;
    return true;
}

bool trace_control_resolve(const struct config *w, struct refusal *why)
{
    for (uint32_t i = 0; are_wanted(w) && i < w->events.count; i++) {
        const char *const name = w->events.spec[i].task;

        if (!(name[0] == '*' && name[1] == '\0') && monitors_find_task(name) == 0)
            return REFUSE_WITH(why, "events= names task %1, and tasks=%2 has none of this name", REFUSAL_STRING(name),
                               REFUSAL_STRING(w->tasks));
    }
    return true;
}

static void set_sites(const struct config *w)
{
    for (uint32_t i = 0; i < w->events.count; i++) {
        const struct event_spec *const e = &w->events.spec[i];

        if (e->low != 0 || e->high != UINT64_MAX)
            event_ring_set_site(&trace_ring, e->classes, e->low, e->high);
    }
}

static void begin_ring(const struct config *w)
{
    static const enum event_ring_mode modes[] = {
        [BUFFER_STREAM] = EVENT_RING_STREAM, [BUFFER_STOP] = EVENT_RING_STOP,
        [BUFFER_OVERWRITE] = EVENT_RING_OVERWRITE, [BUFFER_COUNT] = EVENT_RING_COUNT,
    };

    event_ring_begin(&trace_ring, &(struct event_ring_request){ memory, records, modes[w->buffer] });
    set_sites(w);
    trace_ring.open = trace_classes_of_any(w);
}

static void set_tasks(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        tasks[i].traced = trace_classes_of(tasks[i].name);
    trace_set_task(current->traced);
}

static enum call_events call_events(void)
{
    const uint32_t calls = 1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SYSCALL_EXIT | 1u << TRACE_SERVICE_ENTER |
                           1u << TRACE_SERVICE_EXIT;

    if (!(trace_ring.open & calls))
        return CALL_EVENTS_OFF;
    return trace_ring.mode == EVENT_RING_COUNT && !trace_ring.sited ? CALL_EVENTS_COUNTED : CALL_EVENTS_TAKEN;
}

/* Calls that tasks sleep in leave by the new stubs. */
static void set_stubs(void)
{
    call_stubs_set(account_on == ACCOUNT_LOGGED, trace_is_on() ? call_events() : CALL_EVENTS_OFF);
    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (&tasks[i] != current && tasks[i].stack0 != 0)
            call_stubs_redirect(tasks[i].stack0, tasks[i].stack1);
}

static void set_account(void)
{
    if (account_on == ACCOUNT_KEPT && trace_is_on())
        account_on = ACCOUNT_TRACED;
    else if (account_on == ACCOUNT_TRACED && !trace_is_on())
        account_on = ACCOUNT_KEPT;
}

static void apply(void)
{
    set_account();
    set_tasks();
    set_stubs();
}

void trace_control_begin(void)
{
    const bool before = trace_is_on(), on = are_wanted(run_config());

    trace_set_on(on);
    if (on)
        begin_ring(run_config());
    if (on || before)
        apply();
}

void trace_control_mark(void)
{
    if (trace_is_on())
        event_ring_control(&trace_ring, account.last, TRACE_CONTINUE, task_event(current));
}

void trace_control_end(void)
{
    trace_ring.open = trace_ring.mask = 0;
}

void trace_control_pause(enum trace_pause why)
{
    if (!trace_is_on() || trace_ring.open == 0)
        return;
    event_ring_control(&trace_ring, account.last, TRACE_PAUSE, why);
    trace_ring.open = trace_ring.mask = 0;
}

void trace_control_continue(void)
{
    if (!trace_is_on() || trace_ring.open != 0)
        return;
    trace_ring.open = trace_classes_of_any(run_config());
    trace_set_task(current->traced);
    event_ring_control(&trace_ring, account.last, TRACE_CONTINUE, task_event(current));
}

void trace_control_sync(void)
{
    if (!(trace_ring.open & trace_bit(TRACE_SYNC)))
        return;
    trace_sync_word = trace_sync_word + 1;
    event_ring_put(&trace_ring, account_clock(), TRACE_SYNC, trace_sync_word);
}

void trace_control_rehearse(const struct config *w, bool rehearse)
{
    static struct event_record spare[64];

    if (!are_wanted(w))
        return;
    event_ring_begin(&trace_ring, &(struct event_ring_request){ spare, 64, EVENT_RING_OVERWRITE });
    set_sites(w);
    trace_ring.open = trace_ring.mask = rehearse ? trace_classes_of_any(w) : 0;
    call_stubs_set(w->account == CONFIG_ACCOUNT_LOG, rehearse ? call_events() : CALL_EVENTS_OFF);
}
