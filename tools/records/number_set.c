/* SPDX-License-Identifier: MIT */
/* Keeps ranges of numbers: most numbers follow the last one, and are found without a search. */
#include "tools/records/number_set.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/sorted.h"

/* The first range that ends at this number or after it. */
static size_t range_of(const struct number_set *s, uint64_t number)
{
    if (s->ranges && s->range[s->ranges - 1].end == number)
        return s->ranges - 1;
    return SORTED_FROM(s->range, s->ranges, end, number);
}

/* Where there is no room, the lowest gap is given up: what comes for it later counts as there. */
static bool insert(struct number_set *s, size_t at, uint64_t number)
{
    if (s->ranges == NUMBER_RANGES) {
        if (!at)
            return false;
        s->range[1].begin = s->range[0].begin;
        memmove(s->range, s->range + 1, --at * sizeof(*s->range));
        s->range[at] = (struct number_range){number, number + 1};
        return true;
    }
    GROW(s->range, s->ranges);
    memmove(s->range + at + 1, s->range + at, (s->ranges - at) * sizeof(*s->range));
    s->range[at] = (struct number_range){number, number + 1};
    s->ranges++;
    return true;
}

/* The range has grown at its end: it may touch the next one. */
static void join(struct number_set *s, size_t at)
{
    if (at + 1 == s->ranges || s->range[at].end != s->range[at + 1].begin)
        return;
    s->range[at].end = s->range[at + 1].end;
    s->ranges--;
    memmove(s->range + at + 1, s->range + at + 2, (s->ranges - at - 1) * sizeof(*s->range));
}

bool number_set_add(struct number_set *s, uint64_t number)
{
    const size_t at = range_of(s, number);
    struct number_range *r;

    if (at == s->ranges || number + 1 < s->range[at].begin)
        return insert(s, at, number);
    r = &s->range[at];
    if (number == r->end) {
        r->end++;
        join(s, at);
        return true;
    }
    if (number + 1 != r->begin)
        return false;
    r->begin--;
    return true;
}

uint64_t number_set_end(const struct number_set *s)
{
    return s->ranges ? s->range[s->ranges - 1].end : 0;
}

void number_set_free(struct number_set *s)
{
    free(s->range);
}
