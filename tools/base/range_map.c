/* SPDX-License-Identifier: MIT */
/*
 * Flattens nested ranges: one sweep by address with a stack of the open ranges.  Ranges come from
 * files, so they may overlap in any way.
 */
#include "tools/base/range_map.h"

#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/sorted.h"

struct sweep {
    struct range_map *map;
    const struct range **open; /* a stack; ranges below the top may have ended already */
    size_t opened;
};

/* Sorted by start; the outer range before the inner. */
static int compare(const void *left, const void *right)
{
    const struct range *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->what < b->what ? -1 : a->what > b->what;
}

/* From `start` on the map gives this range. */
static void begin_part(struct range_map *m, uint64_t start, size_t what)
{
    if (m->parts && m->part[m->parts - 1].start == start)
        m->parts--;
    if (m->parts && m->part[m->parts - 1].what == what)
        return;
    m->part[m->parts++] = (struct range_part){start, what};
}

/* Close all ranges that end at `limit` or before; the next outer range continues after each. */
static void close_until(struct sweep *s, uint64_t limit)
{
    while (s->opened && s->open[s->opened - 1]->end <= limit) {
        uint64_t end = s->open[s->opened - 1]->end;

        while (s->opened && s->open[s->opened - 1]->end <= end)
            s->opened--;
        begin_part(s->map, end, s->opened ? s->open[s->opened - 1]->what : RANGE_NONE);
    }
}

void range_map_build(struct range_map *m, struct range *range, size_t count)
{
    struct sweep s = {m, xrealloc_array(NULL, count, sizeof(*s.open)), 0};

    *m = (struct range_map){xrealloc_array(NULL, count, 2 * sizeof(*m->part)), 0};
    if (count)
        qsort(range, count, sizeof(*range), compare);
    for (size_t i = 0; i < count; i++) {
        if (range[i].start >= range[i].end)
            continue;
        close_until(&s, range[i].start);
        s.open[s.opened++] = &range[i];
        begin_part(m, range[i].start, range[i].what);
    }
    close_until(&s, UINT64_MAX);
    free(s.open);
}

void range_map_free(struct range_map *m)
{
    free(m->part);
    *m = (struct range_map){0};
}

size_t range_map_find(const struct range_map *m, uint64_t address, uint64_t *end)
{
    const size_t past = SORTED_ABOVE(m->part, m->parts, start, address);

    if (end)
        *end = past < m->parts ? m->part[past].start : UINT64_MAX;
    return past ? m->part[past - 1].what : RANGE_NONE;
}
