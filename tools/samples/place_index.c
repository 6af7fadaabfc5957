/* SPDX-License-Identifier: MIT */
/* An array by index, as long as the highest index that was told. */
#include "tools/samples/place_index.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/samples/place_set.h"

/* An index that sample_places_next() let pass, and so below SAMPLE_PLACES_MAX. */
static struct place_meaning *meaning_of(struct place_index *p, uint64_t index)
{
    if (index >= p->room) {
        const size_t before = p->room;

        p->room = index < 2 * before ? 2 * before : (size_t)index + 1;
        if (p->room > SAMPLE_PLACES_MAX)
            p->room = SAMPLE_PLACES_MAX;
        p->place = xrealloc_array(p->place, p->room, sizeof(*p->place));
        memset(p->place + before, 0, (p->room - before) * sizeof(*p->place));
    }
    return &p->place[index];
}

static bool contradicts(const struct place_index *p, uint64_t index, const struct sample_location *where)
{
    const struct sample_location *known = place_index_find(p, index);

    return known && !place_is_same(known, where);
}

static bool is_valid(const struct place_index *p, struct wire_reader frame)
{
    struct sample_places places;
    struct sample_location where;
    uint32_t index;

    if (!sample_places_open(&places, frame))
        return false;
    while (sample_places_next(&places, &index, &where))
        if (contradicts(p, index, &where))
            return false;
    return sample_places_whole(&places);
}

bool place_index_add(struct place_index *p, struct wire_reader frame)
{
    struct sample_places places;
    struct sample_location where;
    uint32_t index;

    if (!is_valid(p, frame))
        return false;
    sample_places_open(&places, frame);
    while (sample_places_next(&places, &index, &where)) {
        struct place_meaning *meaning = meaning_of(p, index);

        meaning->where = where;
        meaning->defined = true;
    }
    return true;
}

struct sample_place sample_place_of(const struct sample_location *where)
{
    return (struct sample_place){
        .pc = where->pc,
        .task = where->task,
        .mode = (enum mode)(where->mode % SAMPLE_DELAY_STEP),
        .delay = (enum delay)(where->mode / SAMPLE_DELAY_STEP),
        .known = true,
    };
}

void place_index_free(struct place_index *p)
{
    free(p->place);
}
