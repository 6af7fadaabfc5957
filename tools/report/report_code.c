/* SPDX-License-Identifier: MIT */
/* Nodes as arrays, not objects: the names of eight members would be most of the page. */
#include "tools/report/report_code.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/json_value.h"

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
static json_t *percent(double share)
{
    return json_finite(round(1e6 * share) / 1e4);
}

static json_t *node_json(const struct code_tree *t, const struct code_node *n, uint32_t parent)
{
    const struct confidence share = code_tree_share(t, n);

    return json_pack("[o, i, i, o, o, o, o, b]", json_text_or_null(n->name), (int)parent, (int)n->level, json_count(n->tally.hits),
                     percent(share.estimate), percent(share.low), percent(share.high), n->known);
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
        return json_pack("{s:s}", "reason", "the run has no raw samples (monitor=samples)");
    nodes = nodes_json(t, least_hits(t), &left_out);
    paths = calls ? nodes_json(calls, least_hits(calls), &left_out) : json_null();
    return json_pack("{s:n, s:o, s:o, s:o, s:o, s:o}", "reason", "samples", json_count(t->samples), "unknown", json_count(t->unknown),
                     "left_out", json_count(left_out), "nodes", nodes, "calls", paths);
}
