/* SPDX-License-Identifier: MIT */
/* A hash table of blocks by address, ring and code. */
#include "tools/hwmon/block.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

struct block *block_new(size_t insns, int ring)
{
    struct block *b = xcalloc(1, sizeof *b + insns * sizeof b->insn[0]);

    b->ring = (uint8_t)ring;
    return b;
}

void block_add(struct block *b, uint64_t address, const void *code, size_t size)
{
    struct insn *i = &b->insn[b->count++];

    *i = (struct insn){ .address = address, .size = (uint8_t)(size < INSN_BYTES ? size : INSN_BYTES) };
    memcpy(i->code, code, i->size);
}

static size_t hash(const struct block *b)
{
    const uint64_t address = b->count != 0 ? b->insn[0].address : 0;

    return (size_t)((address * 0x9e3779b97f4a7c15ull >> 48 ^ b->ring) % BLOCK_HASHES);
}

static bool same(const struct block *a, const struct block *b)
{
    if (a->count != b->count || a->ring != b->ring)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->insn[i].address != b->insn[i].address || a->insn[i].size != b->insn[i].size ||
            memcmp(a->insn[i].code, b->insn[i].code, a->insn[i].size) != 0)
            return false;
    return true;
}

struct block *block_intern(struct block_table *t, struct block *b)
{
    struct block **head = &t->of[hash(b)];

    for (struct block *there = *head; there != NULL; there = there->next)
        if (same(there, b)) {
            free(b);
            return there;
        }
    b->next = *head;
    t->count++;
    return *head = b;
}

static int by_address(const void *a, const void *b)
{
    const struct block *const *one = a, *const *other = b;
    const uint64_t left = (*one)->count != 0 ? (*one)->insn[0].address : 0;
    const uint64_t right = (*other)->count != 0 ? (*other)->insn[0].address : 0;

    return (left > right) - (left < right);
}

void block_each(const struct block_table *t, void call(const struct block *b, void *data), void *data)
{
    const struct block **all = xrealloc_array(NULL, t->count + 1, sizeof *all);
    size_t count = 0;

    for (size_t i = 0; i < BLOCK_HASHES; i++)
        for (const struct block *b = t->of[i]; b != NULL; b = b->next)
            all[count++] = b;
    qsort(all, count, sizeof *all, by_address);
    for (size_t i = 0; i < count; i++)
        call(all[i], data);
    free(all);
}
