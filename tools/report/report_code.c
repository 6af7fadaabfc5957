/* SPDX-License-Identifier: MIT */
/*
 * Makes the trees of code of a run: that of call paths, of the stacks of an export, frame by frame; and both as JSON.
 */
#include "tools/report/report_page.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/base/printable.h"
#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

struct calls {
    struct code_tree *tree;
    struct stacks stacks;
    struct index node_of; /* by parent and frame */
};

static enum code_level level_of(const struct stack_frame *f)
{
    static const enum code_level level[] = {
        [FRAME_TASK] = CODE_TASK, [FRAME_MODE] = CODE_MODE, [FRAME_FUNCTION] = CODE_FUNCTION,
        [FRAME_LINE] = CODE_LINE,
    };

    return level[f->kind];
}

/* The node of a frame below `parent`. */
static uint32_t node_of(struct calls *c, uint32_t parent, const struct stack *of, uint32_t n)
{
    const struct stack_frame *const f = stack_frame(&c->stacks, of, n);
    const uint64_t key = (uint64_t)parent << 32 | c->stacks.id[of->first + n];
    const size_t found = index_find(&c->node_of, key);

    if (found != INDEX_NONE)
        return (uint32_t)found;
    index_put(&c->node_of, key, c->tree->nodes);
    return code_tree_add(c->tree, &(struct code_node){
        .name = printable(xasprintf("%s", stack_text(&c->stacks, f->name))), .parent = parent, .level = level_of(f),
        .task = of->at.task,
        .mode = of->at.mode, .known = level_of(f) < CODE_FUNCTION || n < of->code || of->symbol,
    });
}

static void count(struct code_node *n, const struct stack *of)
{
    n->tally.hits += of->hits;
    n->tally.changes += of->changes;
    if (n->tally.changes > 2 * n->tally.hits)
        n->tally.changes = 2 * n->tally.hits;
}

static void add_stack(struct calls *c, const struct stack *of)
{
    uint32_t at = 0;

    if (!of->hits || !of->at.known)
        return;
    count(&c->tree->node[0], of);
    for (uint32_t n = 0; n < of->depth; n++) {
        at = node_of(c, at, of, n);
        count(&c->tree->node[at], of);
    }
}

static void add_all(struct calls *c, struct symbol_resolver *names)
{
    const struct epoch *const e = c->stacks.epoch;

    stacks_divide(&c->stacks);
    stacks_name(&c->stacks, names);
    *c->tree = (struct code_tree){.estimator = profile_samples_estimator(e), .samples = e->samples->told};
    code_tree_add(c->tree, &(struct code_node){.name = xasprintf("all samples"), .level = CODE_RUN, .known = true});
    for (size_t i = 0; i < c->stacks.count; i++)
        add_stack(c, &c->stacks.stack[i]);
    c->tree->node[0].tally.changes = 0;
    c->tree->unknown = c->tree->samples - c->tree->node[0].tally.hits;
}

bool report_calls_make(struct code_tree *t, const struct report_run *run)
{
    struct calls c = {.tree = t};
    struct epoch_pass *p;
    bool made;

    if (!run->again || !epoch_walks(run->epoch) || !run->epoch->samples)
        return false;
    p = epoch_pass_open(run->again, run->epoch->number);
    if (!p)
        return false;
    epoch_name_rows(epoch_pass_epoch(p));
    made = stacks_make(&c.stacks, p) && c.stacks.raw;
    if (made)
        add_all(&c, run->names);
    stacks_free(&c.stacks);
    index_free(&c.node_of);
    epoch_pass_close(p);
    return made;
}

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

uint64_t report_code_least(const struct code_tree *t)
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
    nodes = nodes_json(t, report_code_least(t), &left_out);
    paths = calls ? nodes_json(calls, report_code_least(calls), &left_out) : NULL;
    return REPORT_MAKE(code_nodes, .samples = t->samples, .unknown = t->unknown, .left_out = left_out, .nodes = nodes,
                       .calls = paths);
}
