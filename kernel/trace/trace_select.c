/* SPDX-License-Identifier: MIT */
/* Which events are taken of which task. */
#include "kernel/trace/trace_select.h"

#include "kernel/lib/run_state.h"
#include "kernel/trace/trace_tree.h"

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
