/* SPDX-License-Identifier: MIT */
/* The steps of the zoom: to the slots with hits, to a function, to a slot. */
/* Uses vector registers: task context only. */
#include "probe/stats/zoom.h"

#include "probe/schedule/memory.h"

static void trim(const uint64_t *hits, uint64_t least, unsigned *first, unsigned *last)
{
    uint64_t left = 0;

    for (unsigned i = 0; i < REGION_SLOTS; i++)
        left += hits[i];
    *first = 0;
    *last = REGION_SLOTS - 1;
    while (*first < *last) {
        unsigned *end = hits[*first] <= hits[*last] ? first : last;

        if (left - hits[*end] < least && hits[*end])
            return;
        left -= hits[*end];
        if (end == first)
            ++*first;
        else
            --*last;
    }
}

/* The addresses of the slots `first` to `last`; the end of the last possible slot wraps to 0. */
static void addresses_of(const struct zoom_slots *s, unsigned first, unsigned last, uint64_t *low, uint64_t *high)
{
    *low = s->base + ((uint64_t)first << s->shift);
    *high = s->base + ((uint64_t)(last + 1) << s->shift);
    if (*low < s->low)
        *low = s->low;
    if (*high > s->high || *high <= *low)
        *high = s->high;
}

bool zoom_narrow(const struct zoom_slots *s, uint64_t least, uint64_t *low, uint64_t *high)
{
    unsigned first, last;

    trim(s->hits, least, &first, &last);
    addresses_of(s, first, last, low, high);
    return *low != s->low || *high != s->high;
}

void zoom_name(struct zoom_function *f, const char *name)
{
    unsigned i = 0;

    for (; name[i] && i < ZOOM_NAME - 1; i++)
        f->name[i] = name[i];
    f->name[i] = '\0';
}

static bool go_to(struct zoom *z, enum zoom_how how, uint64_t low, uint64_t high)
{
    z->how = how;
    z->low = low;
    z->high = high;
    z->step++;
    return true;
}

void zoom_begin(struct zoom *z, enum zoom_goal goal, uint64_t low, uint64_t high)
{
    memset(z, 0, sizeof(*z));
    z->goal = goal;
    go_to(z, ZOOM_BEGUN, low, high);
}

/* Whether `a` has a greater share of its window's samples than `b` has of its own window's. */
static bool is_hotter(const struct zoom_function *a, const struct zoom_function *b)
{
    return (double)a->hits * (double)b->samples > (double)b->hits * (double)a->samples;
}

static bool to_slot(struct zoom *z, const struct zoom_slots *s)
{
    uint64_t low, high;
    unsigned best = 0;

    if (z->exact || !s->shift)
        return false;
    for (unsigned i = 1; i < REGION_SLOTS; i++)
        if (s->hits[i] > s->hits[best])
            best = i;
    addresses_of(s, best, best, &low, &high);
    return go_to(z, ZOOM_AT_SLOT, low, high);
}

/* Go to the hottest function; if it shares slots with others, go to those slots first. */
static bool to_function(struct zoom *z, const struct zoom_window *w)
{
    struct zoom_hottest h;

    memset(&h, 0, sizeof(h));
    if (!w->hottest(w->context, &h))
        return false;
    z->shared = h.shared;
    z->function = h.function;
    if (h.shared && h.unshared.hits && (!z->rival.hits || is_hotter(&h.unshared, &z->rival)))
        z->rival = h.unshared;
    if (h.shared && (h.low != z->low || h.high != z->high))
        return go_to(z, ZOOM_SHARED, h.low, h.high);
    if (h.shared && h.function.start == z->low && h.function.end == z->high)
        return z->goal == ZOOM_TO_INSTRUCTION && to_slot(z, &w->slots); /* no function is smaller */
    if (!h.shared && z->rival.hits && is_hotter(&z->rival, &h.function))
        z->function = z->rival;
    return go_to(z, ZOOM_AT_FUNCTION, z->function.start, z->function.end);
}

bool zoom_next(struct zoom *z, const struct zoom_window *w)
{
    const bool fine = !w->slots.shift && !z->exact && z->goal != ZOOM_TO_SHARE; /* not worth a window */
    uint64_t low, high;

    if (!w->hits || z->step == ZOOM_STEPS)
        return false;
    if (z->how >= ZOOM_AT_FUNCTION)
        return z->goal == ZOOM_TO_INSTRUCTION && to_slot(z, &w->slots);
    if (!fine && zoom_narrow(&w->slots, w->least, &low, &high))
        return go_to(z, ZOOM_NARROWED, low, high);
    return z->goal != ZOOM_TO_SHARE && to_function(z, w);
}
