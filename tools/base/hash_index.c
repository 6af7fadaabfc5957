/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full. */
#include "tools/base/hash_index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "probe/schedule/splitmix64.h"
#include "tools/base/alloc.h"

#define ROOM_FIRST 8

uint64_t index_seed(void)
{
    static uint64_t drawn;

    if (!drawn && getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) != sizeof(drawn))
        drawn = (uint64_t)(uintptr_t)&drawn; /* the load address, which differs in each process */
    drawn |= 1;
    return drawn;
}

/* The slot of the key, or the free slot for it. */
static struct index_slot *slot_of(const struct index *ix, uint64_t key)
{
    size_t at = splitmix64_mix(key ^ index_seed()) & (ix->room - 1);

    while (ix->slot[at].place && ix->slot[at].key != key)
        at = (at + 1) & (ix->room - 1);
    return &ix->slot[at];
}

static void grow(struct index *ix)
{
    struct index old = *ix;

    ix->room = old.room ? 2 * old.room : ROOM_FIRST;
    ix->slot = xcalloc(ix->room, sizeof(*ix->slot));
    for (size_t i = 0; i < old.room; i++)
        if (old.slot[i].place)
            *slot_of(ix, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

size_t index_find(const struct index *ix, uint64_t key)
{
    return ix->count ? (size_t)slot_of(ix, key)->place - 1 : INDEX_NONE;
}

void index_put(struct index *ix, uint64_t key, size_t place)
{
    struct index_slot *slot;

    if (2 * ix->count >= ix->room)
        grow(ix);
    slot = slot_of(ix, key);
    ix->count += !slot->place;
    *slot = (struct index_slot){key, (uint32_t)place + 1};
}

void index_free(struct index *ix)
{
    free(ix->slot);
    *ix = (struct index){0};
}

void *index_row(struct index *ix, uint64_t key, void *array, size_t *count, size_t size, const void *fresh)
{
    size_t at = index_find(ix, key);
    char *rows;

    memcpy(&rows, array, sizeof(rows));
    if (at == INDEX_NONE) {
        at = (*count)++;
        index_put(ix, key, at);
        rows = xgrow(rows, at, size);
        memcpy(array, &rows, sizeof(rows));
        if (fresh)
            memcpy(rows + at * size, fresh, size);
        else
            memset(rows + at * size, 0, size);
    }
    return rows + at * size;
}

uint64_t index_key(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint64_t key = splitmix64_mix(index_seed() ^ length);

    for (size_t i = 0; i < length; i++)
        key = splitmix64_mix(key ^ at[i] ^ SPLITMIX64_GAMMA);
    return key;
}
