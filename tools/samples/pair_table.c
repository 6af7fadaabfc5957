/* SPDX-License-Identifier: MIT */
/* Open addressing; at most three quarters of the slots are used. */
#include "tools/samples/pair_table.h"

#include <stdlib.h>

#include "probe/schedule/splitmix64.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/samples/sample_sums.h"

/* Memory that the system gives as zeros: what no pair touches is never there. */

#define PAIRS ((size_t)NEAR_PLACES * NEAR_PLACES)

struct near_pairs near_pairs_new(void)
{
    const struct near_pairs n = {calloc(PAIRS, sizeof(*n.count)), calloc(PAIRS, sizeof(*n.full))};

    if (!n.count || !n.full)
        out_of_memory();
    return n;
}

void near_pairs_free(struct near_pairs *n)
{
    free(n->count);
    free(n->full);
}

#define ROOM_FIRST 1024

static struct place_pair *slot_of(const struct pair_table *t, uint32_t a, uint32_t b)
{
    size_t at = (size_t)splitmix64_mix(((uint64_t)a << 32 | b) ^ index_seed()) & (t->room - 1);

    while (t->slot[at].count && (t->slot[at].a != a || t->slot[at].b != b))
        at = (at + 1) & (t->room - 1);
    return &t->slot[at];
}

static void grow(struct pair_table *t)
{
    const struct pair_table old = *t;

    t->room = old.room ? 2 * old.room : ROOM_FIRST;
    t->slot = xcalloc(t->room, sizeof(*t->slot));
    for (size_t i = 0; i < old.room; i++)
        if (old.slot[i].count)
            *slot_of(t, old.slot[i].a, old.slot[i].b) = old.slot[i];
    free(old.slot);
}

bool pair_table_add(struct pair_table *t, uint32_t a, uint32_t b, uint64_t count, size_t most)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    struct place_pair *slot;

    if (!t->room || (t->count >= t->room / 4 * 3 && t->count < most))
        grow(t);
    slot = slot_of(t, low, high);
    if (!slot->count) {
        if (t->count >= most)
            return false;
        t->count++;
        *slot = (struct place_pair){.a = low, .b = high};
    }
    slot->count += count;
    return true;
}
