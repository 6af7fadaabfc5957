/* SPDX-License-Identifier: MIT */
/* An array by index, as long as the highest index that was told. */
#include "tools/samples/place_index.h"

#include <stdlib.h>
#include <string.h>

#include "probe/schedule/splitmix64.h"
#include "probe/stream/sample_decode.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

/* A hash table of places with open addressing; its slots are small, since a stream can have millions of places. */

static size_t hash(const struct sample_location *w)
{
    return (size_t)splitmix64_mix(splitmix64_mix(w->pc ^ index_seed()) ^ ((uint64_t)w->task << 8 | w->mode));
}

static bool is_same(const struct sample_location *a, const struct sample_location *b)
{
    return a->pc == b->pc && a->task == b->task && a->mode == b->mode;
}

static size_t slot_of(const struct place_set *set, const struct sample_location *w)
{
    size_t slot = hash(w) & (set->room - 1);

    while (set->slot[slot] && !is_same(&set->where[set->slot[slot] - 1], w))
        slot = (slot + 1) & (set->room - 1);
    return slot;
}

static void grow(struct place_set *set)
{
    set->room = set->room ? 2 * set->room : 16;
    set->where = xrealloc_array(set->where, set->room / 2, sizeof(*set->where));
    free(set->slot);
    set->slot = xcalloc(set->room, sizeof(*set->slot));
    for (size_t i = 0; i < set->count; i++)
        set->slot[slot_of(set, &set->where[i])] = (uint32_t)i + 1;
}

uint32_t place_set_number(struct place_set *set, const struct sample_location *w)
{
    size_t slot;

    if (set->count == set->room / 2)
        grow(set);
    slot = slot_of(set, w);
    if (!set->slot[slot]) {
        set->where[set->count++] = *w;
        set->slot[slot] = (uint32_t)set->count;
    }
    return set->slot[slot] - 1;
}

bool place_set_has(const struct place_set *set, const struct sample_location *w)
{
    return set->count && set->slot[slot_of(set, w)];
}

void place_set_free(struct place_set *set)
{
    free(set->where);
    free(set->slot);
}

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

    return known && !is_same(known, where);
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
