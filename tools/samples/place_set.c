/* SPDX-License-Identifier: MIT */
/* A hash table of places with open addressing; its slots are small, since a stream can have millions of places. */
#include "tools/samples/place_set.h"

#include <stdlib.h>
#include <string.h>

#include "probe/schedule/splitmix64.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

static size_t hash(const struct sample_location *w)
{
    return (size_t)splitmix64_mix(splitmix64_mix(w->pc ^ index_seed()) ^ ((uint64_t)w->task << 8 | w->mode));
}

bool place_is_same(const struct sample_location *a, const struct sample_location *b)
{
    return a->pc == b->pc && a->task == b->task && a->mode == b->mode;
}

static size_t slot_of(const struct place_set *set, const struct sample_location *w)
{
    size_t slot = hash(w) & (set->room - 1);

    while (set->slot[slot] && !place_is_same(&set->where[set->slot[slot] - 1], w))
        slot = (slot + 1) & (set->room - 1);
    return slot;
}

static void grow(struct place_set *set)
{
    set->room = set->room ? 2 * set->room : 16;
    set->where = xrealloc_array(set->where, set->room / 2, sizeof(*set->where));
    free(set->slot);
    set->slot = xrealloc_array(NULL, set->room, sizeof(*set->slot));
    memset(set->slot, 0, set->room * sizeof(*set->slot));
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
