/* SPDX-License-Identifier: MIT */
/*
 * The compiler of class trees, in two passes over the text: the first collects nodes, and the values that
 * conditions name and that have to be told apart; the second makes conditions sets of values.  Then the
 * nodes are linked and checked.  Private to its files; the way in is class_tree_parse().
 */
#pragma once

#include "probe/text/refusal.h"
#include "probe/text/text_span.h"
#include "probe/trace/class_tree.h"

/*
 * The text of a class tree, cut into its statements:
 *
 *   [CLASS =] [PARENT .] NAME : else | KEY = [!] VALUE [/ VALUE]... [+ KEY = ...]... [@ ATTRIBUTE]
 *
 * Commas and line ends separate statements, blanks mean nothing, `#` begins a comment up to the end
 * of its line.  Nothing is looked up here.  Any context.
 */

#define CLASS_TERMS 6 /* conditions of one statement: one for each property of a state */

/* KEY = VALUE / VALUE, or with `not` KEY = ! VALUE / VALUE: none of them. */
struct class_term {
    struct span key, values;
    bool not;
};

/* One statement; spans point into the text. */
struct class_statement {
    struct span name, class, parent, attribute; /* empty where absent, but never the name */
    bool otherwise; /* the condition is `else` */
    struct class_term term[CLASS_TERMS];
    unsigned terms;
};

/* Where in a text one reads. */
struct class_text {
    const char *begin, *at, *end;
};

/* Begin at the start of a text. */
struct class_text class_text_open(struct span text);

/*
 * Read the next statement.  False at the end of the text, or at a statement that is none: *why is
 * then set, with line and column; its reason is NULL at the end.
 */
bool class_text_next(struct class_text *text, struct class_statement *to, struct refusal *why);

/* The next of a term's values, and *values past it; false where none is left. */
bool class_text_value(struct span *values, struct span *value);

/*
 * Refuse `what`, a part of the text: %1 and %2 in the reason are its line and column, %3 what it is, %4 another
 * part of the text.  False.
 */
bool class_text_refuse(struct class_text text, struct span what, const char *reason, struct span other,
                       struct refusal *why);

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
