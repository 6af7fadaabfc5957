/* SPDX-License-Identifier: MIT */
/* The stacks of an export, put into a tree frame by frame. */
#include "tools/report/report_calls.h"

#include <stdlib.h>

#include "tools/analysis/profile_samples.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/base/printable.h"
#include "tools/export/stack_callers.h"
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

static uint32_t add_node(struct code_tree *t, const struct code_node *of)
{
    GROW(t->node, t->nodes);
    t->node[t->nodes] = *of;
    t->node[t->nodes].tally.samples = t->samples;
    return (uint32_t)t->nodes++;
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
    return add_node(c->tree, &(struct code_node){
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
    add_node(c->tree, &(struct code_node){.name = xasprintf("all samples"), .level = CODE_RUN, .known = true});
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

    if (!run->again || !run->epoch->stacks.walks.serial || !run->epoch->samples)
        return false;
    p = epoch_pass_open(run->again, (unsigned long)(run->epoch - run->model->epoch) + 1);
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
