/* SPDX-License-Identifier: MIT */
/* Sums by place in one pass; a change is a pair with one sample in the stack, as everywhere (docs/ACCOUNTING.md). */
#include "tools/export/stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"

static uint64_t key_of(const struct sample_where *at)
{
    const uint64_t words[] = {at->pc, (uint64_t)at->task << 32 | at->code, (uint64_t)at->mode << 1 | at->known};

    return index_key(words, sizeof(words));
}

static uint32_t stack_of(struct stacks *s, const struct sample_where *at)
{
    const uint64_t key = key_of(at);
    size_t found = index_find(&s->stack_of, key);

    if (found == INDEX_NONE) {
        found = s->count;
        GROW(s->stack, s->count);
        s->stack[s->count++] = (struct stack){.at = *at};
        index_put(&s->stack_of, key, found);
    }
    return (uint32_t)found;
}

static void take_sample(void *context, const struct export_sample *sample)
{
    struct stacks *s = context;
    const uint32_t now = stack_of(s, &sample->at);
    const bool pair = s->samples && sample->pair && sample->number == s->last_number + 1 && sample->at.known &&
                      s->stack[s->last].at.known;

    if (pair && now != s->last) {
        s->stack[now].changes++;
        s->stack[s->last].changes++;
    }
    s->stack[now].hits++;
    s->samples++;
    s->last = now;
    s->last_number = sample->number;
}

static void take_samples(struct stacks *s)
{
    const struct samples *raw = s->epoch->samples;

    export_samples_each(s->epoch, take_sample, s);
    if (raw->told > s->samples) {
        s->stack[stack_of(s, &(struct sample_where){0})].hits += raw->told - s->samples;
        s->samples = raw->told;
    }
    if (s->epoch->hello.thin > 1 && !s->estimator.reason) /* two points form a stratum of their own */
        s->estimator = (struct estimator){PAIR_STRATUM, 0, NULL};
}

static void take_cell(struct stacks *s, const struct sample_where *at, uint64_t hits, uint64_t changes)
{
    struct stack *to = hits ? &s->stack[stack_of(s, at)] : NULL;

    if (!to)
        return;
    to->hits += hits;
    to->changes += changes;
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

void stacks_make(struct stacks *s, const struct epoch *e)
{
    const struct table_options options = report_options(e);

    *s = (struct stacks){.epoch = e, .estimator = options.estimator};
    if (export_has_samples(e)) {
        take_samples(s);
        return;
    }
    for (uint32_t i = 0; e->snapshot && i < e->snapshot->rows; i++)
        take_row(s, &e->snapshot->row[i]);
    s->samples = e->snapshot ? e->snapshot->samples : 0;
}

const struct stack *stacks_find(const struct stacks *s, const struct sample_where *at)
{
    const size_t found = index_find(&s->stack_of, key_of(at));

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

void stacks_free(struct stacks *s)
{
    text_set_free(&s->texts);
    index_free(&s->frame_of);
    index_free(&s->stack_of);
    free(s->frame);
    free(s->stack);
    free(s->id);
    *s = (struct stacks){0};
}
