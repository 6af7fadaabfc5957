/* SPDX-License-Identifier: MIT */
/* The one buffer of events. */
#include "kernel/trace/trace.h"

#include "kernel/lib/run_state.h"
#include "probe/trace/class_runs.h"

struct event_ring trace_ring; /* legends in trace.h */
volatile uint64_t trace_sync_word;

/* Not inline: tests/bench/events.py takes a look at the mask elsewhere for a hook. */
__attribute__((noinline)) bool trace_takes(enum trace_class class)
{
    return trace_ring.mask & trace_bit(class);
}

const struct trace_ruler *trace_ruler; /* set once */

void trace_set_ruler(const struct trace_ruler *ruler)
{
    trace_ruler = ruler;
}

/* Which events are taken of which task. */

static bool taken; /* interrupts off */

bool trace_is_on(void)
{
    return taken;
}

void trace_set_on(bool on)
{
    taken = on;
}

static uint32_t with_switches(const struct config *w, uint32_t classes)
{
    if (classes == 0 || w->buffer == BUFFER_COUNT)
        return classes;
    return classes | trace_bit(TRACE_SWITCH) | trace_bit(TRACE_RESUME);
}

uint32_t trace_classes_by(const struct config *w, const char *name)
{
    uint32_t classes = trace_tree_classes(w);

    if (w->monitor & MONITOR_EVENTS)
        classes |= event_specs_of_task(&w->events, name) |
                   rule_specs_classes(&w->when, rule_specs_of_task(&w->when, name));
    return with_switches(w, classes);
}

uint32_t trace_classes_of_any(const struct config *w)
{
    uint32_t classes = trace_tree_classes(w);

    for (uint32_t i = 0; w->monitor & MONITOR_EVENTS && i < w->events.count; i++)
        classes |= w->events.spec[i].classes;
    classes |= rule_specs_classes(&w->when, UINT32_MAX);
    return with_switches(w, classes);
}

uint32_t trace_classes_of(const char *name)
{
    return taken ? trace_classes_by(run_config(), name) : 0;
}

uint8_t trace_rules_about(const char *name)
{
    return taken ? (uint8_t)rule_specs_of_task(&run_config()->when, name) : 0;
}

/* Two trees: one in force, one planned. */

static struct {
    struct class_tree tree;
    struct class_spec spec; /* what it was compiled from */
    uint32_t classes;       /* of events, that it needs */
} trees[2]; /* the start, and task PROBE, as the next two */
static unsigned in_force;
static bool planned;

bool trace_tree_plan(const struct config *w, struct refusal *why)
{
    const unsigned next = !in_force;

    planned = false;
    if (!(w->monitor & MONITOR_STATES))
        return true;
    trees[next].spec = w->classes;
    planned = class_tree_parse(&trees[next].tree, span_text(class_spec_tree(&w->classes)), why);
    if (planned)
        trees[next].classes = class_runs_classes(&trees[next].tree);
    return planned;
}

void trace_tree_apply(const struct config *w)
{
    if (!planned || !span_is(span_text(w->classes.text), trees[!in_force].spec.text))
        return;
    planned = false;
    in_force = !in_force;
}

const struct class_tree *trace_tree(void)
{
    return &trees[in_force].tree;
}

uint32_t trace_tree_classes(const struct config *w)
{
    return w->monitor & MONITOR_STATES ? trees[in_force].classes : 0;
}
