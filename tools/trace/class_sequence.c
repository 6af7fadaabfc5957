/* SPDX-License-Identifier: MIT */
/* States of a timeline in their classes, run-length coded. */
#include "tools/trace/class_sequence.h"

#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"

/* ---- what a tree asks for ---- */

static const unsigned known_of[CLASS_FIELDS] = {
    [CLASS_FIELD_MODE] = KNOWN_MODE, [CLASS_FIELD_MASKED] = KNOWN_MASKED, [CLASS_FIELD_TASK] = KNOWN_TASK,
    [CLASS_FIELD_NEST] = KNOWN_NESTING, [CLASS_FIELD_CALL] = KNOWN_CALL, [CLASS_FIELD_EVENT] = KNOWN_USER,
};

const char *class_sequence_needs(unsigned bit)
{
    switch (bit) {
    case KNOWN_MODE: return "the mode";
    case KNOWN_MASKED: return "whether interrupts are masked";
    case KNOWN_TASK: return "the task";
    case KNOWN_NESTING: return "the nesting of interrupts";
    case KNOWN_CALL: return "system calls";
    default: return "user events";
    }
}

static unsigned needs_of(const struct class_tree *t)
{
    static const unsigned attribute[] = {
        [CLASS_ATTRIBUTE_TASK] = KNOWN_TASK, [CLASS_ATTRIBUTE_NUMBER] = KNOWN_CALL, [CLASS_ATTRIBUTE_VALUE] = KNOWN_USER,
    };
    unsigned needs = 0;

    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        if (class_tree_asks(t, (enum class_field)f))
            needs |= known_of[f];
    for (unsigned i = 0; i < t->leaves; i++)
        needs |= attribute[t->leaf[i].attribute];
    return needs;
}

/* ---- states ---- */

/* Not kept past the next call: the array grows. */
static const struct class_task *find_task(struct class_sequence *s, uint32_t id)
{
    size_t at = index_find(&s->task_of, id);

    if (at == INDEX_NONE) {
        char name[NAME_SIZE];

        epoch_name_of(s->epoch, id, name);
        GROW(s->task, s->tasks);
        at = s->tasks++;
        s->task[at] = (struct class_task){ id, class_tree_task(s->tree, span_text(name)) };
        index_put(&s->task_of, id, at);
    }
    return &s->task[at];
}

/* The tick's handler belongs to no task, and masks interrupts. */
static const struct class_task no_task = { 0, 0 };

/* The leaves that a state leaves open.  A user event has its number in the low byte (probe/trace/event_class.h). */
static uint64_t open_of(const struct class_tree *t, const struct timeline_step *step, const struct class_task *task)
{
    const bool own = !step->monitor;
    const bool user = own && step->known & KNOWN_USER;
    const uint32_t call = own && step->call != CALL_NONE ? (uint32_t)step->call : CLASS_NONE;

    return class_tree_open(t, CLASS_FIELD_MODE, own ? step->mode : CLASS_MONITOR) &
           class_tree_open(t, CLASS_FIELD_MASKED, !own || step->masked) &
           class_tree_open(t, CLASS_FIELD_TASK, task->value) &
           class_tree_open(t, CLASS_FIELD_NEST, class_tree_number(t, CLASS_FIELD_NEST, own ? step->nesting : 0)) &
           class_tree_open(t, CLASS_FIELD_CALL, class_tree_number(t, CLASS_FIELD_CALL, call)) &
           class_tree_open(t, CLASS_FIELD_EVENT, class_tree_number(t, CLASS_FIELD_EVENT, user ? (uint32_t)(step->user & 0xff) : CLASS_NONE));
}

static uint64_t attribute_of(const struct class_leaf *leaf, const struct timeline_step *step, const struct class_task *task)
{
    switch (leaf->attribute) {
    case CLASS_ATTRIBUTE_TASK: return task->id;
    case CLASS_ATTRIBUTE_NUMBER: return step->call == CALL_NONE ? CLASS_NONE : (uint64_t)step->call;
    case CLASS_ATTRIBUTE_VALUE: return step->known & KNOWN_USER ? step->user >> 8 : 0;
    default: return 0;
    }
}

/* ---- runs ---- */

static void close_run(struct class_sequence *s)
{
    if (s->open)
        s->to.run(s->to.context, &s->run);
    s->open = false;
}

static void cut(struct class_sequence *s)
{
    close_run(s);
    s->to.cut(s->to.context);
}

static void extend(struct class_sequence *s, const struct class_run *by)
{
    if (s->open && s->run.code == by->code && s->run.attribute == by->attribute) {
        s->run.end = by->end;
        s->run.time += by->time;
        return;
    }
    close_run(s);
    s->run = *by;
    s->run.number = s->runs++;
    s->open = true;
}

static void add_step(struct class_sequence *s, const struct timeline_step *step)
{
    struct class_run run = { .begin = step->begin, .end = step->begin + step->length, .time = step->length };
    const struct class_task *task = step->monitor ? &no_task : find_task(s, step->task);
    const uint64_t open = open_of(s->tree, step, task);
    const struct class_leaf *leaf = class_tree_leaf(s->tree, open);

    s->paused = class_tree_paused(s->tree, open, s->paused);
    run.code = s->paused ? CLASS_PAUSE : leaf->code;
    run.attribute = s->paused ? 0 : attribute_of(leaf, step, task);
    *(s->paused ? &s->pause_time : &s->leaf_time[leaf - s->tree->leaf]) += step->length;
    run.leaf = (uint8_t)(leaf - s->tree->leaf);
    extend(s, &run);
}

/*
 * What is not known of a step and asked for; of the tick's handler everything is.  A task without a user event
 * had none, as long as nothing is missing.
 */
static unsigned lacks(const struct class_sequence *s, const struct timeline_step *step)
{
    const unsigned none = s->before_gaps && s->user_events ? KNOWN_USER : 0;

    return step->monitor ? 0 : s->needs & ~(step->known | none);
}

static bool records_user_events(const struct epoch *e)
{
    for (size_t i = 0; e->events && i < e->events->keys; i++)
        if (e->events->key[i].class == TRACE_USER)
            return true;
    return false;
}

static void leave_out(struct class_sequence *s, const struct timeline_step *step)
{
    s->unknown++;
    s->unknown_time += step->length;
    s->missing |= lacks(s, step);
    cut(s);
}

static bool belongs(const struct class_sequence *s, const struct timeline_step *step)
{
    return !s->of_one || (!step->monitor && step->known & KNOWN_TASK && step->task == s->of);
}

void class_sequence_begin(struct class_sequence *s, const struct class_tree *tree, const struct epoch *e,
                          const struct class_receiver *to)
{
    *s = (struct class_sequence){ .tree = tree, .epoch = e, .to = *to, .needs = needs_of(tree), .paused = tree->starts,
                                   .before_gaps = true, .user_events = records_user_events(e) };
}

void class_sequence_add(struct class_sequence *s, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_GAP) {
        s->before_gaps = false;
        cut(s);
    }
    if (item->kind == TIMELINE_STEP && belongs(s, &item->step)) {
        if (lacks(s, &item->step))
            leave_out(s, &item->step);
        else
            add_step(s, &item->step);
    }
}

void class_sequence_end(struct class_sequence *s)
{
    close_run(s);
    free(s->task);
    index_free(&s->task_of);
}
