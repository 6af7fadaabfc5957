/* SPDX-License-Identifier: MIT */
/*
 * Classes of states (Thurner, "Performance Measurement Using System Monitors", 3.2, figures 6 and 7): a
 * tree that the user writes divides the states of the machine into at most 32 classes, named 0-9 and a-v.
 * A state is what is known of the machine at a moment: mode, interrupts masked or not, running task,
 * nesting of interrupts, system call, the task's last user event.  What the tree forgot is class REST.
 *
 * A compiled tree has a set of leaves, as bits, for each value of each property.  A state's leaf is the
 * lowest bit of the intersection of six such sets.  All functions: any context, host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/text/refusal.h"

#define CLASS_COUNT  32u /* classes that the user may name */
#define CLASS_REST   32u /* a state that no leaf of the tree has */
#define CLASS_PAUSE  33u /* outside of what START and STOP enclose */
#define CLASS_CODES  34u
#define CLASS_NODES  61u /* statements of a tree: with the REST of the root their leaves are 62 bits */
#define CLASS_NAME   16u /* bytes of a node's name, its end included */
#define CLASS_TASK   15u /* the same of a task */
#define CLASS_VALUES 64u /* values of one property that a tree can tell apart */

#define CLASS_MONITOR MODES      /* the mode of the tick's handler, which is charged to no task */
#define CLASS_NONE    UINT32_MAX /* no system call, no user event */

/* The greatest numbers that are told apart; a greater one counts as this. */
#define CLASS_NEST_MOST   255u
#define CLASS_NUMBER_MOST 65534u /* of a call, of an event */

/* What a state consists of. */
enum class_field {
    CLASS_FIELD_MODE,   /* enum mode, or CLASS_MONITOR */
    CLASS_FIELD_MASKED, /* 0 interrupts on, 1 off */
    CLASS_FIELD_TASK,   /* number that class_tree_task() gives a name */
    CLASS_FIELD_NEST,   /* interrupts that are being handled, 0 .. 255 */
    CLASS_FIELD_CALL,   /* system call that the task is in, 0 .. 65534, or CLASS_NONE */
    CLASS_FIELD_EVENT,  /* the task's last user event, 0 .. 65534, or CLASS_NONE */
    CLASS_FIELDS
};

/* What is recorded beside the class of a state. */
enum class_attribute { CLASS_ATTRIBUTE_NONE, CLASS_ATTRIBUTE_TASK, CLASS_ATTRIBUTE_NUMBER, CLASS_ATTRIBUTE_VALUE };

/* A statement of the text. */
struct class_node {
    char name[CLASS_NAME];
    uint8_t parent;    /* index in `node`; 0: the root */
    uint8_t code;      /* its class; CLASS_REST where it has nodes below it */
    uint8_t attribute; /* enum class_attribute */
    bool otherwise;    /* the condition is `else` */
    bool inner;        /* nodes are below it */
    uint64_t in[CLASS_FIELDS]; /* its own condition: a set of values of each field */
};

/* The values of a number that a tree can tell apart: value i begins at begin[i]. */
struct class_numbers {
    uint32_t begin[CLASS_VALUES];
    unsigned count;
};

struct class_leaf {
    uint8_t code, attribute, node;
};

struct class_tree {
    struct class_node node[CLASS_NODES + 1]; /* in the order of the text; 0: the root */
    unsigned nodes;                          /* the root included */
    char task[CLASS_VALUES - 1][CLASS_TASK]; /* value i + 1 of CLASS_FIELD_TASK; 0: any other */
    unsigned tasks;
    struct class_numbers number[CLASS_FIELDS]; /* of nest, call and event */
    uint64_t match[CLASS_FIELDS][CLASS_VALUES];
    struct class_leaf leaf[CLASS_VALUES]; /* in the order of precedence */
    unsigned leaves;
    uint64_t rest;                 /* leaves that are holes, class REST */
    bool starts, stops;            /* it has a START, a STOP: bits CLASS_START and CLASS_STOP */
};

#define CLASS_START (1ull << 62)
#define CLASS_STOP  (1ull << 63)

/* Read and compile a text (class_text.h).  False, with a sentence that names line and column, where it is no tree. */
bool class_tree_parse(struct class_tree *tree, struct span text, struct refusal *why);

/* The tree of what account=log records: modes, masked or not, attribute task. */
extern const char class_tree_default[];

/* The value that the tree has for a task's name, and for a number of CLASS_FIELD_NEST, _CALL or _EVENT. */
unsigned class_tree_task(const struct class_tree *tree, struct span name);
unsigned class_tree_number(const struct class_tree *tree, enum class_field field, uint32_t number);

/* How many values of a field the tree tells apart. */
unsigned class_tree_values(const struct class_tree *tree, enum class_field field);

/* Whether states that differ in this property only can differ in their class. */
bool class_tree_asks(const struct class_tree *tree, enum class_field field);

/* The set of leaves that a value leaves open.  A state is the intersection of one for each field. */
static inline uint64_t class_tree_open(const struct class_tree *tree, enum class_field field, unsigned value)
{
    return tree->match[field][value];
}

/* The leaf of a state, from the intersection.  There always is one: the root has an `else` or a REST. */
static inline const struct class_leaf *class_tree_leaf(const struct class_tree *tree, uint64_t open)
{
    const uint32_t low = (uint32_t)open;

    return &tree->leaf[low ? __builtin_ctz(low) : 32 + __builtin_ctz((uint32_t)(open >> 32))];
}

/* Whether the monitor is paused in a state, from the intersection and whether it was paused before. */
static inline bool class_tree_paused(const struct class_tree *tree, uint64_t open, bool paused)
{
    if (paused)
        return !(tree->starts && open & CLASS_START);
    return tree->stops && open & CLASS_STOP;
}

/* '0'-'9', 'a'-'v', 'R' for REST, 'P' for PAUSE. */
char class_letter(unsigned code);

/* The name of a class: of the first node that has it; "" where none has.  Any context. */
const char *class_tree_name(const struct class_tree *tree, unsigned code);

/* A state that falls to REST: a value of each field. */
enum class_hole { CLASS_HOLE_NONE, CLASS_HOLE_FOUND, CLASS_HOLE_UNKNOWN };

/* Look for one.  CLASS_HOLE_UNKNOWN: the search was given up, after a bounded number of steps. */
enum class_hole class_tree_hole(const struct class_tree *tree, unsigned value[CLASS_FIELDS]);
