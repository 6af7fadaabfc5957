/* SPDX-License-Identifier: MIT */
/* States of a timeline in their classes, run-length coded. */
#include "tools/trace/class_sequence.h"

#include <stdlib.h>

#include "probe/trace/event_class.h"
#include "probe/trace/machine_state.h"
#include "tools/base/alloc.h"

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

static struct machine_state state_of(const struct timeline_step *step)
{
    return (struct machine_state){
        .task = step->task, .user = step->user, .call = step->call, .nesting = step->nesting, .mode = step->mode,
        .monitor = step->monitor, .masked = step->masked, .known = step->known,
    };
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
    if (s->to.cut)
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
    const struct machine_state state = state_of(step);
    const uint64_t open = class_state_open(s->tree, &state, step->monitor ? 0 : find_task(s, step->task)->value);
    const struct class_leaf *leaf = class_tree_leaf(s->tree, open);

    s->paused = class_tree_paused(s->tree, open, s->paused);
    run.code = s->paused ? CLASS_PAUSE : leaf->code;
    run.attribute = s->paused ? 0 : class_state_attribute(leaf, &state);
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

static void leave_out(struct class_sequence *s, const struct timeline_step *step)
{
    s->unknown++;
    s->unknown_time += step->length;
    s->missing |= lacks(s, step);
    cut(s);
}

/* ---- classes that the image recorded ---- */

static const struct class_leaf *leaf_of(const struct class_tree *t, unsigned code)
{
    for (unsigned i = 0; i < t->leaves; i++)
        if (t->leaf[i].code == code)
            return &t->leaf[i];
    return NULL;
}

static bool class_belongs(const struct class_sequence *s, const struct timeline_class *c,
                          const struct class_leaf *leaf)
{
    if (!s->of_one)
        return true;
    return leaf && leaf->attribute == CLASS_ATTRIBUTE_TASK && c->attributed && c->attribute == s->of;
}

static void add_class(struct class_sequence *s, const struct timeline_class *c)
{
    const struct class_leaf *leaf = leaf_of(s->tree, c->code);

    if (!class_belongs(s, c, leaf))
        return;
    if (leaf)
        s->leaf_time[leaf - s->tree->leaf] += c->length;
    else if (c->code == CLASS_PAUSE)
        s->pause_time += c->length;
    extend(s, &(struct class_run){
        .begin = c->begin, .end = c->begin + c->length, .time = c->length, .attribute = c->attribute, .code = c->code,
        .leaf = leaf ? (uint8_t)(leaf - s->tree->leaf) : 0,
    });
}

/* The tick's handler has no task. */
bool class_sequence_tells_tasks(const struct class_tree *tree)
{
    for (unsigned i = 0; i < tree->leaves; i++)
        if (tree->leaf[i].attribute != CLASS_ATTRIBUTE_TASK && tree->leaf[i].code != CLASS_REST &&
            !(tree->node[tree->leaf[i].node].in[CLASS_FIELD_MODE] == 1ull << CLASS_MONITOR))
            return false;
    return true;
}

/* ---- items ---- */

static bool belongs(const struct class_sequence *s, const struct timeline_step *step)
{
    return !s->of_one || (!step->monitor && step->known & KNOWN_TASK && step->task == s->of);
}

void class_sequence_begin(struct class_sequence *s, const struct class_tree *tree, const struct epoch *e,
                          const struct class_receiver *to)
{
    *s = (struct class_sequence){ .tree = tree, .epoch = e, .to = *to, .needs = class_state_needs(tree),
                                  .paused = tree->starts, .before_gaps = true,
                                  .user_events = epoch_event_classes(e) & trace_bit(TRACE_USER) };
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
    if (item->kind == TIMELINE_CLASS)
        add_class(s, &item->class);
}

void class_sequence_end(struct class_sequence *s)
{
    close_run(s);
    free(s->task);
    index_free(&s->task_of);
}
