/* SPDX-License-Identifier: MIT */
/* Sums by place in one pass; a change is a pair with one sample in the stack, as everywhere (docs/ACCOUNTING.md). */
#include "tools/export/export.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"

static uint64_t key_of(const struct sample_where *at)
{
    const uint64_t words[] = {
        at->pc, (uint64_t)at->task << 32 | at->code, (uint64_t)at->mode << 2 | (uint64_t)at->other << 1 | at->known,
    };

    return index_key(words, sizeof(words));
}

/*
 * The place by which a sample is kept: where there is no room for more, its task and mode; where there are too many
 * of these, nothing.
 */
static struct sample_where kept(const struct stacks *s, const struct sample_where *at)
{
    struct sample_where other = *at;

    if (s->count < STACKS_MOST || index_find(&s->stack_of, key_of(at)) != INDEX_NONE)
        return *at;
    other.pc = 0;
    other.other = true;
    if (s->count < 2 * STACKS_MOST || index_find(&s->stack_of, key_of(&other)) != INDEX_NONE)
        return other;
    return (struct sample_where){0};
}

static uint32_t stack_of(struct stacks *s, const struct sample_where *at)
{
    const struct sample_where place = kept(s, at);
    const struct stack fresh = {.at = place},
                       *const found = INDEX_ROW(&s->stack_of, key_of(&place), s->stack, s->count, &fresh);

    return (uint32_t)(found - s->stack);
}

static struct sample_where where(const struct sample_place *place)
{
    struct sample_where at = {.pc = place->pc, .task = place->task, .code = place->task, .mode = place->mode,
                              .known = true};

    if (!place->known || place->mode >= MODES)
        return (struct sample_where){0};
    if (place->delay != DELAY_NONE)
        at.task = place->delay == DELAY_STOLEN ? ROW_STOLEN : ROW_MASKED;
    return at;
}

static void take_sample(void *context, const struct resolved_sample *sample)
{
    struct stacks *s = context;
    const struct sample_where at = where(&sample->place);
    const uint32_t now = stack_of(s, &at);
    const bool pair = sample->pair && sample->follows && s->samples && at.known && s->stack[s->last].at.known;

    if (pair && now != s->last) {
        s->stack[now].changes++;
        s->stack[s->last].changes++;
    }
    s->stack[now].hits++;
    s->samples++;
    s->others += at.known && (s->stack[now].at.other || !s->stack[now].at.known);
    s->last = now;
}

static void take_lost(void *context, const struct sample_gap *gap)
{
    struct stacks *s = context;
    const uint32_t to = stack_of(s, &(struct sample_where){0});

    s->stack[to].hits += gap->count;
    s->samples += gap->count;
    s->missing += gap->count;
}

static bool take_samples(struct stacks *s, struct epoch_pass *p)
{
    s->estimator = profile_samples_estimator(s->epoch);
    return epoch_pass_run(p, &(struct epoch_sink){.context = s, .on_sample = take_sample, .on_lost = take_lost});
}

static void take_cell(struct stacks *s, const struct sample_where *at, uint64_t hits, uint64_t changes)
{
    const uint32_t to = hits ? stack_of(s, at) : 0; /* it moves the stacks */

    if (!hits)
        return;
    s->stack[to].hits += hits;
    s->stack[to].changes += changes;
}

static void take_row(struct stacks *s, const struct snapshot_row *row)
{
    struct sample_where at = {.task = row->id, .code = row->id, .mode = MODES, .known = true};

    if (!row_has_modes(row->id)) {
        take_cell(s, &at, row->total, row->total_changes);
        return;
    }
    for (at.mode = 0; at.mode < MODES; at.mode++)
        take_cell(s, &at, row->hits[at.mode], row->changes[at.mode]);
}

static void take_table(struct stacks *s, const struct snapshot *table)
{
    for (uint32_t i = 0; i < table->rows; i++)
        take_row(s, &table->row[i]);
    s->samples = table->samples;
}

bool stacks_make(struct stacks *s, struct epoch_pass *p)
{
    const struct epoch *e = epoch_pass_epoch(p);

    *s = (struct stacks){.epoch = e, .estimator = report_options(e).estimator, .raw = e->samples && e->samples->told};
    if (s->raw)
        return take_samples(s, p);
    if (e->snapshot)
        take_table(s, e->snapshot);
    return true;
}

size_t stacks_place(const struct stacks *s, uint32_t task, uint64_t pc)
{
    return index_find(&s->stack_of, key_of(&(struct sample_where){.pc = pc, .task = task, .code = task,
                                                                  .mode = MODE_USER, .known = true}));
}

const struct stack *stacks_find(const struct stacks *s, const struct resolved_sample *sample)
{
    const struct sample_where at = where(&sample->place), place = kept(s, &at);
    const size_t found = index_find(&s->stack_of, key_of(&place));

    return found == INDEX_NONE ? NULL : &s->stack[found];
}

struct confidence stack_share(const struct stacks *s, const struct stack *of)
{
    const struct tally tally = {of->hits, s->samples, of->changes};
    const double share = s->samples ? (double)of->hits / (double)s->samples : NAN;

    if (s->estimator.reason || !of->at.known || of->hits > s->samples)
        return (struct confidence){share, NAN, NAN};
    return confidence_of(&s->estimator, &tally, LEVEL_95);
}

static uint32_t node_of(struct stack_tree *t, struct index *of, uint32_t parent, uint32_t frame)
{
    const struct stack_node fresh = {parent, frame};
    const struct stack_node *const found =
        INDEX_ROW(of, (uint64_t)parent << 32 | frame, t->node, t->nodes, &fresh);

    return (uint32_t)(found - t->node);
}

void stack_tree_make(struct stack_tree *t, const struct stacks *s)
{
    struct index of = {0};

    *t = (struct stack_tree){.leaf = xrealloc_array(NULL, s->count + 1, sizeof(*t->leaf))};
    for (size_t i = 0; i < s->count; i++) {
        t->leaf[i] = STACK_ROOT;
        for (uint32_t n = 0; n < s->stack[i].depth; n++)
            t->leaf[i] = node_of(t, &of, t->leaf[i], s->id[s->stack[i].first + n]);
    }
    index_free(&of);
}

void stack_tree_free(struct stack_tree *t)
{
    free(t->node);
    free(t->leaf);
    *t = (struct stack_tree){0};
}

void stacks_free(struct stacks *s)
{
    text_set_free(&s->texts);
    text_set_free(&s->paths);
    free(s->code);
    index_free(&s->frame_of);
    index_free(&s->stack_of);
    free(s->frame);
    free(s->stack);
    free(s->id);
    *s = (struct stacks){0};
}
