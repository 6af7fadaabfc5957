/* SPDX-License-Identifier: MIT */
/* The stacks of one place are a list: the place itself is the first, and `more` leads from one to the next. */
#include "tools/export/stack_callers.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

struct divided_place { /* of a place */
    uint64_t hits;    /* that it has */
    uint64_t told;    /* samples of all its records */
    uint64_t counted; /* samples of its records up to here */
    uint64_t given;   /* hits that these have */
};

static size_t place_of(const struct stacks *s, const struct stack_record *r)
{
    return r->key.mode == MODE_USER && r->row.samples ? stacks_place(s, r->key.task, r->key.pc[0]) : INDEX_NONE;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The hits that a record's stack gets: what all records up to it have, less what those before it have. */
static uint64_t take(struct divided_place *p, uint64_t samples)
{
    uint64_t to;

    p->counted = sum_of(p->counted, samples);
    to = p->told <= p->hits ? p->counted : (uint64_t)((unsigned __int128)p->hits * p->counted / p->told);
    samples = to - p->given;
    p->given = to;
    return samples;
}

static void give(struct stacks *s, size_t place, const struct call_stack_key *callers, uint64_t hits)
{
    struct stack one = s->stack[place];

    if (!hits)
        return;
    if (hits == one.hits && !one.more) { /* all have the same callers, and their changes are known */
        s->stack[place].callers = callers;
        return;
    }
    one.callers = callers;
    one.hits = hits;
    one.changes = 2 * hits; /* it is not known which samples: as if both neighbours of each were elsewhere */
    GROW(s->stack, s->count);
    s->stack[s->count] = one;
    s->stack[place].hits -= hits;
    s->stack[place].changes = 2 * s->stack[place].hits;
    s->stack[place].more = (uint32_t)s->count++;
}

void stacks_divide(struct stacks *s)
{
    const struct stack_records *const r = &s->epoch->stacks;
    struct divided_place *sum = xrealloc_array(NULL, s->count + 1, sizeof(*sum));
    size_t place;

    for (size_t i = 0; i < s->count; i++)
        sum[i] = (struct divided_place){.hits = s->stack[i].hits};
    for (size_t i = 0; i < r->count; i++)
        if ((place = place_of(s, &r->of[i])) != INDEX_NONE)
            sum[place].told = sum_of(sum[place].told, r->of[i].row.samples);
    for (size_t i = 0; i < r->count; i++)
        if ((place = place_of(s, &r->of[i])) != INDEX_NONE)
            give(s, place, &r->of[i].key, take(&sum[place], r->of[i].row.samples));
    free(sum);
}

const struct stack *stack_turns_next(struct stack_turns *t, const struct stacks *s,
                                     const struct resolved_sample *sample)
{
    const struct stack *const place = stacks_find(s, sample);
    size_t at;

    if (!place || !place->more)
        return place;
    if (!t->taken) {
        t->taken = xrealloc_array(NULL, s->count, sizeof(*t->taken));
        for (size_t i = 0; i < s->count; i++)
            t->taken[i] = 0;
    }
    for (at = (size_t)(place - s->stack); s->stack[at].more && t->taken[at] >= s->stack[at].hits;)
        at = s->stack[at].more;
    t->taken[at]++;
    return &s->stack[at];
}

void stack_turns_free(struct stack_turns *t)
{
    free(t->taken);
    *t = (struct stack_turns){0};
}
