/* SPDX-License-Identifier: MIT */
/*
 * Rules about events.  What only stops or starts records takes effect at once; what prints or sends is left to
 * PROBE, which looks for it.
 */
#include "kernel/tick/trace_rules.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace.h"

#define ALL_KEPT 100
#define OF_TASKS (1u << TRACE_SWITCH | 1u << TRACE_READY | 1u << TRACE_SLEEP | 1u << TRACE_WAKE | \
                  1u << TRACE_START | 1u << TRACE_END)

static struct event_rules rules;  /* interrupts off, as all below */
static unsigned asked;            /* ACTION_WRITE, ACTION_SNAPSHOT */
static uint32_t late;             /* rules that user events have met which are not in their place yet */

const struct event_rules *trace_rules(void)
{
    return &rules;
}

unsigned trace_rules_take(void)
{
    const unsigned actions = asked;

    asked = 0;
    return actions;
}

/* The rules that are about the task of an event: the one that it names, else the running one. */
static uint32_t rules_of(enum trace_class class, uint64_t argument)
{
    return OF_TASKS >> class & 1 ? tasks[trace_task_number(argument) % TASKS_MAX].rules : current->rules;
}

/* The rules that an event meets. */
static uint32_t met(enum trace_class class, uint64_t argument)
{
    return event_rules_met(&rules, class, argument, rules_of(class, argument));
}

/* What stops: once the event is recorded.  That a rule did more than count is an event. */
static void finish(unsigned actions, uint32_t by, uint64_t time)
{
    if (actions == 0)
        return;
    trace_tell(TRACE_TRIGGER, time, event_rules_with(&rules, by, actions));
    if (actions & ACTION_FREEZE)
        event_ring_freeze(&trace_ring, rules.rule[event_rules_with(&rules, by, ACTION_FREEZE)].kept);
    else if (actions & ACTION_WRITE && trace_ring.limit == UINT64_MAX)
        event_ring_freeze(&trace_ring, ALL_KEPT); /* what led to the event is what is written */
    if (actions & ACTION_STOP)
        trace_pause(TRACE_PAUSED_BY_ACTION, time);
    asked |= actions & (ACTION_WRITE | ACTION_SNAPSHOT);
}

/* The same for an event that is not recorded here: what starts the records comes first. */
static void act(unsigned actions, uint32_t by)
{
    if (actions & ACTION_START)
        trace_continue(account.last);
    finish(actions, by, account.last);
}

/* An event that starts the records is the first of them. */
static void put(enum trace_class class, uint64_t time, uint64_t argument)
{
    const uint32_t by = met(class, argument);
    const unsigned actions = event_rules_count(&rules, by, time);

    if (actions & ACTION_START)
        trace_continue(time);
    if (!trace_is_paused())
        event_ring_put(&trace_ring, time, class, argument);
    finish(actions, by, time);
}

/* User events of a page that the kernel reads later: what they do is done when they are in their place. */
static void put_late(uint64_t time, uint64_t argument)
{
    const uint32_t by = met(TRACE_USER, argument);

    late |= by;
    event_rules_count(&rules, by, time);
    if (!trace_is_paused())
        event_ring_put(&trace_ring, time, TRACE_USER, argument);
}

static void settle(void)
{
    const uint32_t by = late;
    unsigned actions = 0;

    for (uint32_t i = 0; i < rules.count; i++)
        actions |= by >> i & 1 ? rules.rule[i].actions : 0;
    late = 0;
    act(actions, by);
}

void trace_rules_meet(uint32_t by)
{
    act(event_rules_count(&rules, by, account.last), by);
}

/* The event of a call is recorded by its stub; here is what else it does.  The task may be another one at the end. */
static void call_met(enum trace_class class, uint32_t number)
{
    if (!(trace_ring.mask & trace_bit(class)))
        return;
    irq_disable();
    trace_rules_meet(met(class, number));
    irq_enable();
}

static void dispatch_ruled(struct frame *f)
{
    const uint32_t number = (uint32_t)f->rax;

    call_met(TRACE_SYSCALL_ENTER, number);
    syscall_way_on(SYSCALL_RULES, f);
    call_met(TRACE_SYSCALL_EXIT, number);
}

static const struct trace_ruler ruler = { put, put_late, settle };

void trace_rules_init(void)
{
    trace_set_ruler(&ruler);
}

void trace_rules_begin(const struct config *w)
{
    rules = (struct event_rules){ .count = w != 0 ? w->when.count : 0 };
    for (uint32_t i = 0; i < rules.count; i++)
        rules.rule[i] = w->when.spec[i].rule;
    trace_ring.ruled = event_rules_classes(&rules);
    syscall_way_set(SYSCALL_RULES, trace_ring.ruled & TRACE_SYSCALLS ? dispatch_ruled : 0);
    asked = 0;
    late = 0;
}

/*
 * A pause is an event at its begin, and another at its end, so that the time between is told as not covered.  Stubs
 * of calls look at the mask, where classes that have rules stay: sites where no code is keep them from recording.
 */

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
