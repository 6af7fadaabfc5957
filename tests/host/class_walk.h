/* SPDX-License-Identifier: MIT */
/* A class tree read as a tree, from the root down: what its compiled sets of leaves are held against. */
#pragma once

#include "probe/trace/class_tree.h"

static inline uint64_t class_walk_open(const struct class_tree *t, const unsigned value[CLASS_FIELDS])
{
    uint64_t open = ~(CLASS_START | CLASS_STOP);

    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        open &= class_tree_open(t, (enum class_field)f, value[f]);
    return open;
}

static inline bool class_walk_fulfils(const struct class_node *n, const unsigned value[CLASS_FIELDS])
{
    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        if (!(n->in[f] >> value[f] & 1))
            return false;
    return true;
}

/* The child that a state belongs to; `node` itself: none. */
static inline unsigned class_walk_step(const struct class_tree *t, unsigned node, const unsigned value[CLASS_FIELDS])
{
    unsigned found = node;

    for (unsigned i = 1; i < t->nodes; i++)
        if (t->node[i].parent == node && t->node[i].otherwise && found == node)
            found = i;
        else if (t->node[i].parent == node && !t->node[i].otherwise && class_walk_fulfils(&t->node[i], value))
            found = i;
    return found;
}

static inline unsigned class_walk(const struct class_tree *t, const unsigned value[CLASS_FIELDS])
{
    unsigned node = 0, next;

    while ((next = class_walk_step(t, node, value)) != node)
        node = next;
    return t->node[node].inner ? CLASS_REST : t->node[node].code;
}

/* Whether both ways agree for a state, and for up to 100 000 combinations of values that the tree tells apart. */
static inline bool class_walk_agrees_at(const struct class_tree *t, const unsigned value[CLASS_FIELDS])
{
    return class_tree_leaf(t, class_walk_open(t, value))->code == class_walk(t, value);
}

static inline bool class_walk_agrees(const struct class_tree *t)
{
    unsigned value[CLASS_FIELDS] = {0}, field = 0;

    for (unsigned i = 0; i < 100000 && field < CLASS_FIELDS; i++) {
        if (!class_walk_agrees_at(t, value))
            return false;
        for (field = 0; field < CLASS_FIELDS && ++value[field] == class_tree_values(t, (enum class_field)field);
             field++)
            value[field] = 0;
    }
    return true;
}
