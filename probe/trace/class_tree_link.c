/* SPDX-License-Identifier: MIT */
/*
 * The nodes of a class tree joined to their parents, checked, and their leaves put in order of precedence:
 * under each node first its conditions, then its `else`, or where it has none its REST.  So what falls
 * through a branch is caught in that branch, and the lowest bit of a set of leaves is the right one.
 */
#include "probe/trace/class_compiler.h"

/* ---- the shape ---- */

static unsigned find_parent(const struct class_compiler *c, unsigned node)
{
    for (unsigned i = 1; i < c->tree->nodes; i++)
        if (span_is(c->parent[node], c->tree->node[i].name))
            return i;
    return 0;
}

static bool join(struct class_compiler *c, unsigned node)
{
    struct class_tree *t = c->tree;
    const unsigned parent = find_parent(c, node);

    if (parent == 0 && c->parent[node].length)
        return class_refuse(c, c->parent[node], "line %1, column %2: there is no node %3");
    t->node[node].parent = (uint8_t)parent;
    t->node[parent].inner = true;
    return true;
}

static bool check_cycle(struct class_compiler *c, unsigned node)
{
    unsigned above = node;

    for (unsigned steps = 0; steps < c->tree->nodes; steps++)
        if ((above = c->tree->node[above].parent) == 0)
            return true;
    return class_refuse(c, c->name[node],
                        "line %1, column %2: %3 does not lead to the root: its parents form a cycle");
}

static bool check_inner(struct class_compiler *c, unsigned node)
{
    struct class_node *n = &c->tree->node[node];

    if (!n->inner)
        return true;
    if (n->code != CLASS_AUTOMATIC || n->attribute != CLASS_ATTRIBUTE_NONE)
        return class_refuse(c, c->name[node],
                            "line %1, column %2: %3 has nodes below it, and so no class and no attribute");
    n->code = CLASS_REST;
    return true;
}

/* ---- conditions ---- */

/* Intersect with the conditions of a node and of all above it; false where nothing is left. */
static bool narrow(const struct class_tree *t, unsigned node, uint64_t in[CLASS_FIELDS])
{
    bool some = true;

    for (; node != 0; node = t->node[node].parent)
        for (unsigned f = 0; f < CLASS_FIELDS; f++)
            some &= (in[f] &= t->node[node].in[f]) != 0;
    return some;
}

static void everything(uint64_t in[CLASS_FIELDS])
{
    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        in[f] = UINT64_MAX;
}

static bool overlap(const struct class_tree *t, unsigned a, unsigned b)
{
    uint64_t in[CLASS_FIELDS];

    everything(in);
    return narrow(t, a, in) && narrow(t, b, in);
}

static bool check_siblings(struct class_compiler *c, unsigned node, unsigned other)
{
    const struct class_node *a = &c->tree->node[node], *b = &c->tree->node[other];

    if (a->parent != b->parent)
        return true;
    if (a->otherwise && b->otherwise)
        return class_text_refuse(c->text, c->name[node], "line %1, column %2: %3 is a second else, beside %4",
                                 c->name[other], c->why);
    if (a->otherwise || b->otherwise || !overlap(c->tree, node, other))
        return true;
    return class_text_refuse(c->text, c->name[node], "line %1, column %2: %3 overlaps with %4", c->name[other],
                             c->why);
}

static bool check_conditions(struct class_compiler *c, unsigned node)
{
    if (!overlap(c->tree, node, node))
        return class_refuse(c, c->name[node], "line %1, column %2: no state can be %3");
    for (unsigned other = 1; other < node; other++)
        if (!check_siblings(c, node, other))
            return false;
    return true;
}

/* ---- classes ---- */

/* Give the classes that are not written: the lowest that nobody has. */
static bool name_classes(struct class_compiler *c)
{
    struct class_tree *t = c->tree;
    uint64_t taken = 0;

    for (unsigned i = 1; i < t->nodes; i++)
        if (t->node[i].code < CLASS_COUNT)
            taken |= 1ull << t->node[i].code;
    for (unsigned i = 1; i < t->nodes; i++) {
        if (t->node[i].code != CLASS_AUTOMATIC)
            continue;
        for (t->node[i].code = 0; taken >> t->node[i].code & 1; t->node[i].code++)
            ;
        if (t->node[i].code == CLASS_COUNT)
            return class_refuse(c, c->name[i], "line %1, column %2: %3 is class 33; a tree has at most 32");
        taken |= 1ull << t->node[i].code;
    }
    return true;
}

/* ---- leaves ---- */

static void open_for(struct class_tree *t, uint64_t bit, const uint64_t in[CLASS_FIELDS])
{
    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        for (unsigned v = 0; v < CLASS_VALUES; v++)
            if (in[f] >> v & 1)
                t->match[f][v] |= bit;
}

static void add_leaf(struct class_tree *t, unsigned node)
{
    const uint64_t bit = 1ull << t->leaves;
    uint64_t in[CLASS_FIELDS];

    everything(in);
    narrow(t, node, in);
    open_for(t, bit, in);
    if (t->node[node].inner)
        t->rest |= bit;
    t->leaf[t->leaves++] = (struct class_leaf){ t->node[node].code, t->node[node].attribute, (uint8_t)node };
}

/* The leaves of a node and of those below it.  As deep as the tree, at most 61 nodes. */
static void add_leaves(struct class_tree *t, unsigned node)
{
    unsigned otherwise = node;

    for (unsigned i = 1; i < t->nodes; i++)
        if (t->node[i].parent == node && t->node[i].otherwise)
            otherwise = i;
        else if (t->node[i].parent == node)
            add_leaves(t, i);
    if (otherwise != node)
        add_leaves(t, otherwise);
    else
        add_leaf(t, node);
}

bool class_tree_link(struct class_compiler *c)
{
    struct class_tree *t = c->tree;

    for (unsigned i = 1; i < t->nodes; i++)
        if (!join(c, i))
            return false;
    for (unsigned i = 1; i < t->nodes; i++)
        if (!check_cycle(c, i) || !check_inner(c, i))
            return false;
    for (unsigned i = 1; i < t->nodes; i++)
        if (!check_conditions(c, i))
            return false;
    if (!name_classes(c))
        return false;
    t->node[0].code = CLASS_REST;
    add_leaves(t, 0);
    open_for(t, CLASS_START, c->trigger[0]);
    open_for(t, CLASS_STOP, c->trigger[1]);
    return true;
}
