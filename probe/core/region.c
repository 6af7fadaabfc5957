/* SPDX-License-Identifier: MIT */
/* The region monitor's tick, and what is computed once for it. */
#include "probe/core/region.h"

#include "probe/schedule/memory.h"

/* Whether 512 slots of this size, the first one at a multiple of it, hold the region. */
static bool holds(const struct region_request *q, uint32_t shift)
{
    const uint64_t first = q->low >> shift, last = (q->high - 1) >> shift;

    return last - first < REGION_SLOTS;
}

void region_init(struct region *r, const struct region_request *q)
{
    memset(r, 0, sizeof *r);
    while (!holds(q, r->shift))
        r->shift++;
    r->base = q->low >> r->shift << r->shift;
    r->low = q->low;
    r->length = q->high - q->low;
    r->task_mask = q->task == ROW_ANY ? 0 : UINT32_MAX;
    r->task_bits = q->task & r->task_mask;
    r->mode = q->mode;
    r->last = REGION_ELSEWHERE;
}

static inline uint32_t place_of(const struct region *r, const struct sample *s)
{
    if (s->pc - r->low < r->length)
        return (uint32_t)((s->pc - r->base) >> r->shift);
    return s->pc < r->low ? REGION_BELOW : REGION_ABOVE;
}

static void count_change(struct region *r, uint32_t a, uint32_t b)
{
    r->changes[a]++;
    r->changes[b]++;
    if (a == REGION_ELSEWHERE || b == REGION_ELSEWHERE)
        r->changes_active++;
}

void region_tick(struct region *r, const struct sample *s, bool late, bool pair)
{
    uint32_t place = REGION_ELSEWHERE;

    if (s->mode == r->mode && (s->task & r->task_mask) == r->task_bits && !late)
        place = place_of(r, s);
    r->hits[place]++;
    if (pair && place != r->last)
        count_change(r, r->last, place);
    r->last = place;
}

uint64_t region_active(const struct region *r)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < REGION_ELSEWHERE; i++)
        sum += r->hits[i];
    return sum;
}
