/* SPDX-License-Identifier: MIT */
/* A step of the zoom: which slots stay. */
#include "probe/stats/zoom.h"

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

bool zoom_narrow(const struct zoom_slots *s, uint64_t least, uint64_t *low, uint64_t *high)
{
    unsigned first, last;

    trim(s->hits, least, &first, &last);
    *low = s->base + ((uint64_t)first << s->shift);
    *high = s->base + ((uint64_t)(last + 1) << s->shift);
    if (*low < s->low)
        *low = s->low;
    if (*high > s->high || *high <= *low)
        *high = s->high;
    return *low != s->low || *high != s->high;
}
