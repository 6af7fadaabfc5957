/* SPDX-License-Identifier: MIT */
/* Events, switched on and off. */
#include "kernel/tick/trace_control.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/call_stubs.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/trace/trace.h"
#include "probe/config/config.h"

/* A clock in the place of the paper's matcher: its expiries are on a grid, so that lateness does not add up. */

#define MS_US 1000u

static uint64_t period, next, expiries; /* TSC; interrupts off */

/* Expiries that were missed are counted, and are no events. */
static void expire(uint64_t now)
{
    while (next <= now) {
        next += period;
        expiries++;
    }
    timer_set_deadline(DEADLINE_TRACE, next, expire);
    trace_event(TRACE_TIMER, account.last, expiries);
}

/* Begin with the period of these words, from now on; NULL, or none there: stop.  Interrupts off. */
static void trace_timer_begin(const struct config *w)
{
    const bool ran = period != 0;

    period = w != 0 ? timer_us_to_clocks(w->timer * MS_US) : 0;
    next = period != 0 ? rdtsc() + period : UINT64_MAX;
    expiries = 0;
    if (period != 0 || ran)
        timer_set_deadline(DEADLINE_TRACE, next, expire);
}

#define MOST  65536u /* records, where records= does not say */
#define LEAST 1024u

static struct event_record *memory; /* NULL: none yet; task PROBE and the start, as the next */
static uint64_t records;

static bool are_wanted(const struct config *w)
{
    return (w->monitor & MONITOR_TRACED) != 0;
}

/* The power of two of at least so many records; what it takes, in pages. */
static uint64_t rounded(uint64_t count)
{
    uint64_t power = 64;

    while (power < count)
        power *= 2;
    return power;
}

static uint64_t pages_of(uint64_t count)
{
    return (count * sizeof(struct event_record) + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* What memory allows: tasks need it too. */
static uint64_t automatic(uint64_t longest)
{
    uint64_t count = MOST;

    while (pages_of(count) > longest / 4)
        count /= 2;
    return count;
}

/* A run of pages is not given back: the first buffer stays. */
static bool get_memory(uint64_t wanted, struct refusal *why)
{
    const uint64_t longest = page_alloc_longest_run(), count = wanted != 0 ? rounded(wanted) : automatic(longest);

    if (count < LEAST)
        return REFUSE(why, "monitor= has events or states: there is not enough memory for a buffer");
    if (pages_of(count) > longest / 2)
        return REFUSE_WITH(why, "records=%1 needs %2 KiB, and half of the largest free memory is %3",
                           REFUSAL_NUMBER(wanted), REFUSAL_NUMBER(pages_of(count) * (PAGE_SIZE / 1024)),
                           REFUSAL_NUMBER(longest / 2 * (PAGE_SIZE / 1024)));
    memory = phys_to_virt(page_alloc_run(pages_of(count)));
    records = count;
    return true;
}

bool trace_control_plan(const struct config *w, struct refusal *why)
{
    if (!trace_tree_plan(w, why))
        return false;
    if (!are_wanted(w))
        return true;
    if (memory == 0)
        return get_memory(w->records, why);
    if (w->records != 0 && rounded(w->records) > records)
        return REFUSE_WITH(why, "records=%1: the buffer of this run has %2, and cannot grow",
                           REFUSAL_NUMBER(w->records), REFUSAL_NUMBER(records));
    return true;
}

static bool is_task(const char *name, const char *word, const struct config *w, struct refusal *why)
{
    return (name[0] == '*' && name[1] == '\0') || monitors_find_task(name) != 0 ||
           REFUSE_WITH(why, "%3= names task %1, and tasks=%2 has none of this name", REFUSAL_STRING(name),
                       REFUSAL_STRING(w->tasks), REFUSAL_STRING(word));
}

bool trace_control_resolve(const struct config *w, struct refusal *why)
{
    for (uint32_t i = 0; are_wanted(w) && i < w->events.count; i++)
        if (!is_task(w->events.spec[i].task, "events", w, why))
            return false;
    for (uint32_t i = 0; are_wanted(w) && i < w->when.count; i++)
        if (!is_task(w->when.spec[i].task, "when", w, why))
            return false;
    return true;
}

static void begin_ring(const struct config *w)
{
    static const enum event_ring_mode modes[] = {
        [BUFFER_STREAM] = EVENT_RING_STREAM, [BUFFER_STOP] = EVENT_RING_STOP,
        [BUFFER_OVERWRITE] = EVENT_RING_OVERWRITE, [BUFFER_COUNT] = EVENT_RING_COUNT,
    };

    event_ring_begin(&trace_ring, &(struct event_ring_request){
        memory, w->records != 0 ? rounded(w->records) : records, modes[w->buffer] });
    trace_open(w);
}

static void set_tasks(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        tasks[i].traced = trace_classes_of(tasks[i].name);
        tasks[i].rules = trace_rules_about(tasks[i].name);
    }
    trace_set_task(current->traced);
}

/* A class of calls that is off for all tasks costs nothing: its stubs are the ordinary ones. */
static enum call_events events_of(uint32_t calls)
{
    if (!(trace_ring.open & calls))
        return CALL_EVENTS_OFF;
    return trace_ring.mode == EVENT_RING_COUNT && !trace_ring.sited && !(trace_ring.ruled & calls)
               ? CALL_EVENTS_COUNTED : CALL_EVENTS_TAKEN;
}

static void trace_entries(bool logged, bool on)
{
    call_stubs_set(logged, on ? events_of(TRACE_SYSCALLS) : CALL_EVENTS_OFF,
                   on ? events_of(TRACE_SERVICES) : CALL_EVENTS_OFF);
}

/* Calls that tasks sleep in leave by the new stubs. */
static void set_stubs(void)
{
    trace_entries(account_on == ACCOUNT_LOGGED, trace_is_on());
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
    trace_tree_apply(run_config());
    if (on)
        begin_ring(run_config());
    trace_rules_begin(on ? run_config() : 0);
    trace_timer_begin(on ? run_config() : 0);
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
    trace_ring.open = trace_ring.mask = trace_ring.ruled = 0;
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
    trace_set_sites(w);
    trace_ring.open = trace_ring.mask = rehearse ? trace_classes_of_any(w) : 0;
    trace_ring.ruled = rule_specs_classes(&w->when, UINT32_MAX); /* choose the entries of the run; no rule is met */
    trace_entries(w->account == CONFIG_ACCOUNT_LOG, rehearse);
    trace_ring.ruled = 0;
}
