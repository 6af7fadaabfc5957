/* SPDX-License-Identifier: MIT */
/* The stable dictionary of a sender. */
#include "probe/coding/dictionary.h"

/*
 * Definitions are repeated in turn: so many for each new one, and so many for each frame that
 * uses them.  A row has 13 bytes: 0.08 bytes per sample if frames are full.
 */
#define REPEATED_PER_KEY   1u
#define REPEATED_PER_FRAME 3u
/* A frame of definitions is sent for so many rows; it has room for as many of the longest ones. */
#define ROWS_WORTH_A_FRAME 32u

static uint32_t hash(const struct dictionary_key *k)
{
    uint64_t x = (k->value ^ ((uint64_t)k->task << 24 | k->kind)) * 0x9e3779b97f4a7c15ull;

    x = (x ^ x >> 32 ^ k->task) * 0xbf58476d1ce4e5b9ull;
    return (uint32_t)(x >> 32);
}

/* The slot of the key, or the empty slot for it: at least half of the slots are empty. */
static uint32_t find_slot(const struct dictionary *d, const struct dictionary_key *k, uint32_t hashed)
{
    uint32_t slot = hashed & (DICTIONARY_SLOTS - 1);

    while (d->slot[slot] != 0) {
        const struct dictionary_key *there = &d->key[d->slot[slot] - 1];

        if (there->value == k->value && there->task == k->task && there->kind == k->kind)
            break;
        slot = (slot + 1) & (DICTIONARY_SLOTS - 1);
    }
    return slot;
}

/* Whether the filter has seen this hash before.  A false match only gives an index too early. */
static bool seen_before(struct dictionary *d, uint32_t hashed)
{
    uint16_t *seen = &d->seen[hashed & (DICTIONARY_SEEN - 1)];
    const uint16_t mark = (uint16_t)(hashed >> 16 | 1); /* 0: none */

    if (*seen == mark)
        return true;
    *seen = mark;
    return false;
}

uint32_t dictionary_index(struct dictionary *d, const struct dictionary_key *key)
{
    const uint32_t hashed = hash(key);
    const uint32_t slot = find_slot(d, key, hashed);

    if (d->slot[slot] != 0)
        return d->slot[slot] - 1u;
    if (d->count == DICTIONARY_MAX || !seen_before(d, hashed))
        return DICTIONARY_NONE;
    d->key[d->count++] = *key;
    d->slot[slot] = (uint16_t)d->count;
    d->credit += REPEATED_PER_KEY;
    return d->count - 1;
}

void dictionary_define(struct dictionary *d, bool (*put)(void *context, uint32_t index), void *context)
{
    const uint32_t before = d->defined; /* the new ones of this frame are not repeated in it */
    uint32_t left = d->credit < before ? d->credit : before;

    while (d->defined < d->count && put(context, d->defined))
        d->defined++;
    for (; d->defined == d->count && left != 0; left--) {
        if (d->turn >= before)
            d->turn = 0;
        if (!put(context, d->turn))
            break;
        d->turn++;
        d->credit--;
    }
}

void dictionary_credit_frame(struct dictionary *d)
{
    d->credit += REPEATED_PER_FRAME;
}

bool dictionary_frame_due(const struct dictionary *d)
{
    return d->count != 0 && d->count - d->defined + d->credit >= ROWS_WORTH_A_FRAME;
}

bool dictionary_frame_full(const struct dictionary *d)
{
    return d->count - d->defined >= ROWS_WORTH_A_FRAME;
}

void dictionary_repeat_all(struct dictionary *d)
{
    d->credit = 0;
    d->defined = 0;
}
