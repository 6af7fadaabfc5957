/* SPDX-License-Identifier: MIT */
/*
 * Walks the frames of a stack, one after the other, and counts by stacks in a hash that does not grow: a record is
 * found by its homes, and records stand side by side, to be copied.
 */
#include "probe/core/call_stacks.h"

#include <stddef.h>

#include "probe/schedule/memory.h"

#define MIX 0x9e3779b97f4a7c15ull /* 2^64 over the golden ratio: Knuth, TAOCP 3, 6.4 */
#define WORD 8u

void call_stacks_init(struct call_stacks *t)
{
    t->used = 0;
    t->lost = 0;
    memset(t->home, 0, CALL_STACK_HOMES(t->most) * sizeof t->home[0]);
}

static uint32_t hash_of(const struct call_stack_key *key)
{
    uint64_t hash = ((uint64_t)key->mode << 32 | key->task) * MIX;

    for (unsigned i = 0; i < key->depth; i++)
        hash = ((hash ^ hash >> 29) + key->pc[i]) * MIX;
    return (uint32_t)(hash >> 40);
}

static bool is_same(const struct call_stack_key *a, const struct call_stack_key *b)
{
    if (a->task != b->task || a->mode != b->mode || a->depth != b->depth)
        return false;
    for (unsigned i = 0; i < a->depth; i++)
        if (a->pc[i] != b->pc[i])
            return false;
    return true;
}

/* The home of a stack, or the free one that it would get; NULL: neither within the tries. */
static uint16_t *home_of(struct call_stacks *t, const struct call_stack_key *key)
{
    const uint32_t mask = CALL_STACK_HOMES(t->most) - 1;
    uint32_t at = hash_of(key) & mask;

    for (unsigned i = 0; i < CALL_STACK_TRIES; i++, at = (at + 1) & mask)
        if (t->home[at] == 0 || is_same(&t->stack[t->home[at] - 1].key, key))
            return &t->home[at];
    return NULL;
}

struct call_stack *call_stacks_seek(struct call_stacks *t, const struct call_stack_key *key)
{
    const uint16_t *const home = home_of(t, key);

    return home != NULL && *home != 0 ? &t->stack[*home - 1] : NULL;
}

struct call_stack *call_stacks_find(struct call_stacks *t, const struct call_stack_key *key)
{
    uint16_t *const home = home_of(t, key);

    if (home != NULL && *home != 0)
        return &t->stack[*home - 1];
    if (home == NULL || t->used == t->most) {
        t->lost++;
        return NULL;
    }
    t->stack[t->used] = (struct call_stack){ .key = *key };
    *home = (uint16_t)++t->used;
    return &t->stack[t->used - 1];
}

/* The stack grows down, so the caller's frame is at a higher address. */
static bool is_frame(const struct frame_walk *w, uint64_t fp, uint64_t low)
{
    return fp % WORD == 0 && fp >= low && fp < w->high - WORD;
}

enum walk_end frame_walk(const struct frame_walk *w, uint64_t *pc, unsigned most, unsigned *found)
{
    uint64_t fp = w->fp, low = w->low, above, back;

    for (*found = 0; fp != 0; fp = above, pc[(*found)++] = back) {
        if (!is_frame(w, fp, low))
            return WALK_BROKEN;
        if (!w->read(w->context, fp, &above) || !w->read(w->context, fp + WORD, &back))
            return WALK_ABSENT;
        if (back == 0)
            return WALK_WHOLE;
        if (back >= w->high)
            return WALK_BROKEN;
        if (*found == most)
            return WALK_CUT;
        low = fp + WORD;
    }
    return WALK_WHOLE;
}
