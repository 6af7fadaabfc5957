/* SPDX-License-Identifier: MIT */
/*
 * Makes of the raw samples of an epoch a tree of code: task, mode, function, line.  Every node has the counts
 * that its interval needs, so that each share of a flame graph can be told with one.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "tools/model/stream_model.h"
#include "tools/samples/place_index.h"
#include "tools/symbols/symbol_resolver.h"

enum code_level { CODE_RUN, CODE_TASK, CODE_MODE, CODE_FUNCTION, CODE_LINE };

struct code_node {
    char *name;       /* of a task, mode, function or line as a breakdown names them; printable */
    uint32_t parent;  /* index of a node before this one; node 0, the run, is its own */
    enum code_level level;
    uint32_t task;    /* row id, of a late sample MASKED or STOLEN; valid below CODE_RUN */
    enum mode mode;   /* valid below CODE_TASK; of a late sample that in which it arrived */
    bool known;       /* a function or line: a file names it */
    struct tally tally; /* of all samples of the run */
};

struct code_tree {
    /* parents before their children; of one parent those with more hits first, but for modes */
    struct code_node *node;
    size_t nodes;
    struct estimator estimator;
    uint64_t samples;  /* all that were taken */
    uint64_t unknown;  /* of these without a known place: they may belong to any node */
    struct place_set place; /* those that have hits, */
    uint32_t *leaf;         /* and the node of each */
};

/*
 * Make the tree.  False where the epoch has no raw samples that arrived.  Names are chosen by build id from `names`.
 */
bool code_tree_make(struct code_tree *t, const struct epoch *e, struct symbol_resolver *names);
void code_tree_free(struct code_tree *t);

/* Add a node, whose hits are some of the tree's samples; its index. */
uint32_t code_tree_add(struct code_tree *t, const struct code_node *of);

/* The line, as a node, that a sample at this place is in; NULL: none, its place is not known. */
const struct code_node *code_tree_leaf(struct code_tree *t, const struct sample_place *place);

/*
 * The share of a node at 95 %, 0 .. 1, with between none and all of the unknown samples in it;
 * NaN limits where there is no estimator.
 */
struct confidence code_tree_share(const struct code_tree *t, const struct code_node *n);
