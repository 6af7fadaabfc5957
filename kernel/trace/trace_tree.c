/* SPDX-License-Identifier: MIT */
/* Two trees: one in force, one planned. */
#include "kernel/trace/trace_tree.h"

#include "probe/trace/class_runs.h"

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
