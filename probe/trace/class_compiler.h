/* SPDX-License-Identifier: MIT */
/*
 * The compiler of class trees, in two passes over the text: the first collects nodes, and the values that
 * conditions name and that have to be told apart; the second makes conditions sets of values.  Then the
 * nodes are linked and checked.  Private to its files; the way in is class_tree_parse().
 */
#pragma once

#include "probe/trace/class_text.h"
#include "probe/trace/class_tree.h"

#define CLASS_AUTOMATIC 0xffu /* the class of a node for which none is written */

/* A tree that is being compiled. */
struct class_compiler {
    struct class_tree *tree;
    struct class_text text;
    struct refusal *why;
    struct span name[CLASS_NODES + 1];   /* of each node, where it stands in the text */
    struct span parent[CLASS_NODES + 1]; /* the name of its parent; empty: the root */
    uint64_t trigger[2][CLASS_FIELDS];   /* the conditions of START and STOP */
};

/* Refuse a part of the text, as class_text_refuse(). */
static inline bool class_refuse(struct class_compiler *c, struct span what, const char *reason)
{
    return class_text_refuse(c->text, what, reason, what, c->why);
}

/* First pass: note the values that a statement's conditions name. */
bool class_values_collect(struct class_compiler *c, const struct class_statement *s);

/* Second pass: the sets of values that fulfil its conditions. */
bool class_values_sets(struct class_compiler *c, const struct class_statement *s, uint64_t in[CLASS_FIELDS]);

/* After both passes: join nodes to parents, check them, and order their leaves. */
bool class_tree_link(struct class_compiler *c);
