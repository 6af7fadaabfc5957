/* SPDX-License-Identifier: MIT */
/* States as values of the properties that a tree looks at. */
#include "probe/trace/class_state.h"

#include "probe/trace/event_class.h"

#define USER_EVENT_BITS 8 /* the low byte of a user event's argument is its number (probe/trace/event_class.h) */

unsigned class_state_needs(const struct class_tree *tree)
{
    static const unsigned known_of[CLASS_FIELDS] = {
        [CLASS_FIELD_MODE] = KNOWN_MODE, [CLASS_FIELD_MASKED] = KNOWN_MASKED, [CLASS_FIELD_TASK] = KNOWN_TASK,
        [CLASS_FIELD_NEST] = KNOWN_NESTING, [CLASS_FIELD_CALL] = KNOWN_CALL, [CLASS_FIELD_EVENT] = KNOWN_USER,
    };
    static const unsigned attribute[] = {
        [CLASS_ATTRIBUTE_TASK] = KNOWN_TASK, [CLASS_ATTRIBUTE_NUMBER] = KNOWN_CALL,
        [CLASS_ATTRIBUTE_VALUE] = KNOWN_USER,
    };
    unsigned needs = 0;

    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        if (class_tree_asks(tree, (enum class_field)f))
            needs |= known_of[f];
    for (unsigned i = 0; i < tree->leaves; i++)
        needs |= attribute[tree->leaf[i].attribute];
    return needs;
}

static uint64_t open_number(const struct class_tree *t, enum class_field field, uint32_t number)
{
    return class_tree_open(t, field, class_tree_number(t, field, number));
}

static uint32_t call_of(const struct machine_state *s)
{
    return !s->monitor && s->call != CALL_NONE ? (uint32_t)s->call : CLASS_NONE;
}

static uint32_t user_event_of(const struct machine_state *s)
{
    return !s->monitor && s->known & KNOWN_USER ? (uint32_t)(s->user & ((1u << USER_EVENT_BITS) - 1)) : CLASS_NONE;
}

uint64_t class_state_open(const struct class_tree *t, const struct machine_state *s, unsigned task)
{
    return class_tree_open(t, CLASS_FIELD_MODE, s->monitor ? CLASS_MONITOR : (unsigned)s->mode) &
           class_tree_open(t, CLASS_FIELD_MASKED, s->monitor || s->masked) &
           class_tree_open(t, CLASS_FIELD_TASK, s->monitor ? 0 : task) &
           open_number(t, CLASS_FIELD_NEST, s->monitor ? 0 : s->nesting) &
           open_number(t, CLASS_FIELD_CALL, call_of(s)) & open_number(t, CLASS_FIELD_EVENT, user_event_of(s));
}

uint64_t class_state_attribute(const struct class_leaf *leaf, const struct machine_state *s)
{
    switch (leaf->attribute) {
    case CLASS_ATTRIBUTE_TASK: return s->monitor ? 0 : trace_task_row(s->task);
    case CLASS_ATTRIBUTE_NUMBER: return s->call == CALL_NONE ? CLASS_NONE : (uint64_t)s->call;
    case CLASS_ATTRIBUTE_VALUE: return s->known & KNOWN_USER ? s->user >> USER_EVENT_BITS : 0;
    default: return 0;
    }
}
