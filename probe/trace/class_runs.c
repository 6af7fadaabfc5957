/* SPDX-License-Identifier: MIT */
/* Events made into states, states into classes, equal ones in a row into one stretch. */
#include "probe/trace/class_runs.h"

#include "probe/schedule/memory.h"

uint32_t class_runs_classes(const struct class_tree *tree)
{
    const unsigned needs = class_state_needs(tree);
    uint32_t classes = machine_state_classes() & ~trace_bit(TRACE_CONTINUE); /* that one always comes */

    if (!(needs & KNOWN_MASKED))
        classes &= ~(trace_bit(TRACE_MASK) | trace_bit(TRACE_UNMASK));
    if (!(needs & KNOWN_USER))
        classes &= ~trace_bit(TRACE_USER);
    return classes;
}

/* ---- stretches ---- */

void class_runs_flush(struct class_runs *r)
{
    if (r->any)
        r->request.put(r->request.context, &r->open);
    r->any = false;
}

static bool same(const struct class_stretch *a, const struct class_stretch *b)
{
    return a->code == b->code && a->attribute == b->attribute && a->attributed == b->attributed;
}

static void extend(struct class_runs *r, const struct class_stretch *by)
{
    if (r->any && same(&r->open, by)) {
        r->open.end = by->end;
        return;
    }
    class_runs_flush(r);
    r->open = *by;
    r->any = true;
}

/* ---- classes ---- */

static struct class_run_task *task_of(struct class_runs *r, uint64_t task)
{
    struct class_run_task *const t = &r->task[trace_task_number(task)];

    if (t->known && t->row == trace_task_row(task))
        return t;
    *t = (struct class_run_task){
        .own = MACHINE_TASK_UNKNOWN, .row = trace_task_row(task), .known = true,
        .value = class_tree_task(r->request.tree, r->request.name(trace_task_row(task), trace_task_number(task))),
    };
    return t;
}

/* What is not known of the state and asked for; of the tick's handler everything is. */
static bool lacks(const struct class_runs *r)
{
    const unsigned none = r->whole ? KNOWN_USER : 0;

    return !r->now.monitor && (r->needs & ~((r->now.known & r->told) | none)) != 0;
}

static struct class_stretch classify(struct class_runs *r)
{
    const struct class_tree *const tree = r->request.tree;
    const bool own = !r->now.monitor && r->now.known & KNOWN_TASK;
    const uint64_t open = class_state_open(tree, &r->now, own ? task_of(r, r->now.task)->value : 0);
    const struct class_leaf *const leaf = class_tree_leaf(tree, open);

    r->gap = class_gap(CLASS_GAP_UNKNOWN, 0); /* what is not known from here on, nothing else tells */
    r->paused = class_tree_paused(tree, open, r->paused);
    if (r->paused)
        return (struct class_stretch){.code = CLASS_PAUSE};
    return (struct class_stretch){
        .code = leaf->code, .attributed = leaf->attribute != CLASS_ATTRIBUTE_NONE,
        .attribute = class_state_attribute(leaf, &r->now),
    };
}

/* The state of now lasted up to this moment. */
static void end_state(struct class_runs *r, uint64_t time)
{
    struct class_stretch stretch = {.code = CLASS_GAP, .attributed = true, .attribute = r->gap};

    if (time == r->begin)
        return;
    if (!lacks(r))
        stretch = classify(r);
    stretch.begin = r->begin;
    stretch.end = r->begin = time;
    extend(r, &stretch);
}

/* Nothing is known from here on. */
static void begin_gap(struct class_runs *r, uint64_t time, uint64_t gap)
{
    end_state(r, time);
    r->gap = gap;
    r->whole = false;
    r->now = MACHINE_STATE_UNKNOWN;
    memset(r->task, 0, sizeof r->task);
}

/* ---- events ---- */

void class_runs_begin(struct class_runs *r, const struct class_runs_request *request)
{
    memset(r, 0, sizeof *r);
    r->request = *request;
    r->needs = class_state_needs(request->tree);
    r->told = machine_state_told(request->classes);
    r->now = MACHINE_STATE_UNKNOWN;
    r->begin = request->time;
    r->paused = request->tree->starts;
    r->whole = true;
    r->gap = class_gap(CLASS_GAP_UNKNOWN, 0);
}

static void switch_to(struct class_runs *r, uint64_t task)
{
    if (r->now.known & KNOWN_TASK)
        task_of(r, r->now.task)->own = machine_state_own(&r->now);
    machine_state_run(&r->now, task, &task_of(r, task)->own);
}

void class_runs_take(struct class_runs *r, uint64_t time, unsigned class, uint64_t argument)
{
    if (class == TRACE_LOST) {
        begin_gap(r, time, class_gap(CLASS_GAP_NO_ROOM, argument));
    } else if (class == TRACE_PAUSE) {
        begin_gap(r, time, class_gap(CLASS_GAP_PAUSED, 0));
    } else if (class < TRACE_CLASSES_END && machine_state_classes() >> class & 1) {
        end_state(r, time);
        if (class == TRACE_SWITCH || class == TRACE_CONTINUE)
            switch_to(r, argument);
        machine_state_apply(&r->now, class, argument);
    }
}

void class_runs_skip(struct class_runs *r, uint64_t time, uint64_t missing)
{
    begin_gap(r, r->begin, class_gap(CLASS_GAP_OVERWRITTEN, missing));
    end_state(r, time);
}

void class_runs_end(struct class_runs *r, uint64_t time)
{
    end_state(r, time);
    class_runs_flush(r);
}
