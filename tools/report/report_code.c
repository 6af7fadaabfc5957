/* SPDX-License-Identifier: MIT */
/* Nodes as arrays, not objects: the names of eight members would be most of the page. */
#include "tools/report/report_code.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"

#define NODE_MEMBERS(M, O)                                                          \
    M(TEXT, name, "name of the node")                                               \
    M(COUNT, parent, "index of its parent, which stands before it")                 \
    M(COUNT, level, "0 the run, 1 a task, 2 a mode, 3 a function, 4 a line")        \
    M(COUNT, hits, "samples in it")                                                 \
    M(REAL, percent, "their share, percent")                                        \
    M(REAL, low, "lower end of its 95 % interval, percent; null: there is none")    \
    M(REAL, high, "upper end of its 95 % interval, percent; null: there is none")   \
    M(FLAG, known, "a file names it")
REPORT_TUPLE(node, NODE_MEMBERS)

#define NO_CODE_MEMBERS(M, O) M(WORD, reason, "why there are no nodes")
REPORT_OBJECT(no_code, NO_CODE_MEMBERS)

#define CODE_MEMBERS(M, O)                                                          \
    M(TEXT, reason, "null: there are nodes")                                        \
    M(COUNT, samples, "samples that were taken")                                    \
    M(COUNT, unknown, "samples without a known place")                              \
    M(COUNT, left_out, "nodes with the fewest samples, which are left out")         \
    O(LIST, nodes, node, "by task, mode, function and line")                        \
    O(LIST_OR_NULL, calls, node, "by call path (stack=): a function is below its caller; null: the run has none")
REPORT_OBJECT(code_nodes, CODE_MEMBERS)
REPORT_EITHER(report_code, &no_code_object, &code_nodes_object)

static int by_hits(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a < b) - (a > b);
}

/* The fewest hits of a node that is shown. */
static uint64_t least_hits(const struct code_tree *t)
{
    uint64_t *hits = xrealloc_array(NULL, t->nodes, sizeof(*hits));
    uint64_t least = 0;

    for (size_t i = 0; i < t->nodes; i++)
        hits[i] = t->node[i].tally.hits;
    if (t->nodes > REPORT_NODES) {
        qsort(hits, t->nodes, sizeof(*hits), by_hits);
        least = hits[REPORT_NODES] + 1;
    }
    free(hits);
    return least;
}

/* Percent with four decimals: more digits say nothing of a share. */
static double percent(double share)
{
    return round(1e6 * share) / 1e4;
}

static json_t *node_json(const struct code_tree *t, const struct code_node *n, uint32_t parent)
{
    const struct confidence share = code_tree_share(t, n);

    return REPORT_MAKE(node, .name = n->name, .parent = parent, .level = n->level, .hits = n->tally.hits,
                       .percent = percent(share.estimate), .low = percent(share.low), .high = percent(share.high),
                       .known = n->known);
}

/* A node has no more hits than its parent, so the ancestors of a node that is shown are shown too. */
static json_t *nodes_json(const struct code_tree *t, uint64_t least, uint64_t *left_out)
{
    uint32_t *number = xrealloc_array(NULL, t->nodes, sizeof(*number)), count = 0;
    json_t *array = json_array();

    for (size_t i = 0; i < t->nodes; i++) {
        if (t->node[i].tally.hits < least) {
            ++*left_out;
            continue;
        }
        number[i] = count++;
        json_array_append_new(array, node_json(t, &t->node[i], number[t->node[i].parent]));
    }
    free(number);
    return array;
}

json_t *report_code_json(const struct code_tree *t, const struct code_tree *calls)
{
    uint64_t left_out = 0;
    json_t *nodes, *paths;

    if (!t)
        return REPORT_MAKE(no_code, "the run has no raw samples (monitor=samples)");
    nodes = nodes_json(t, least_hits(t), &left_out);
    paths = calls ? nodes_json(calls, least_hits(calls), &left_out) : NULL;
    return REPORT_MAKE(code_nodes, .samples = t->samples, .unknown = t->unknown, .left_out = left_out, .nodes = nodes,
                       .calls = paths);
}
