/* SPDX-License-Identifier: MIT */
/*
 * Chooses which events and states of a timeline are shown, by an expression over their fields.
 *
 *     expression  and | expression `or` and
 *     and         not | and `and` not
 *     not         `not` not | ( expression ) | field sign value [, value]...
 *
 * Signs are = != < <= > >=; several values mean any of them.  Fields: task (a name), class (a class or a group of
 * classes, `state`, `gap`), mode (user, supervisor, kernel, interrupt, monitor), arg (a number), time and
 * duration (seconds, or with ms, us or ns).  What an item does not tell fulfils no comparison.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"

/* The bits of class=state and class=gap beside those of enum trace_class. */
#define FILTER_STATE (1ull << 62)
#define FILTER_GAP   (1ull << 63)
#define FILTER_MONITOR MODES /* mode=monitor */

/* What is compared; of a name "" and of the others `told` false: not known. */
struct filter_subject {
    char task[NAME_SIZE];
    uint64_t class; /* a bit */
    unsigned mode;
    uint64_t argument;
    double time, duration; /* seconds */
    bool mode_told, argument_told, time_told, duration_told;
};

#define FILTER_NODES 64u /* comparisons and operators of an expression */

enum filter_field { FILTER_TASK, FILTER_CLASS, FILTER_MODE, FILTER_ARGUMENT, FILTER_TIME, FILTER_DURATION };
enum filter_sign { FILTER_EQUAL, FILTER_UNEQUAL, FILTER_BELOW, FILTER_AT_MOST, FILTER_ABOVE, FILTER_AT_LEAST };

/* A comparison with one value, or an operator of the one or two nodes before it. */
struct filter_node {
    enum { FILTER_COMPARISON, FILTER_NOT, FILTER_AND, FILTER_OR } kind;
    enum filter_field field;
    enum filter_sign sign;
    char task[NAME_SIZE];
    uint64_t number; /* an argument; classes as bits; a mode */
    double seconds;
    unsigned left, right; /* operands, indexes */
};

struct item_filter {
    struct filter_node node[FILTER_NODES];
    unsigned nodes; /* the last one is the expression; 0: everything is shown */
};

/* Where an expression is wrong, and why. */
struct filter_error {
    unsigned at; /* bytes from its begin */
    const char *why;
};

/* False, with *error, where the text is no expression. */
bool item_filter_parse(struct item_filter *f, const char *text, struct filter_error *error);

bool item_filter_matches(const struct item_filter *f, const struct filter_subject *s);
