/* SPDX-License-Identifier: MIT */
/* The ranges of an address space. */
#include "kernel/process/process.h"

#include <stddef.h>

#include "probe/schedule/memory.h"

const struct memory_range *ranges_find(const struct memory_ranges *r, uint64_t address)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (address >= r->range[i].from && address < r->range[i].to)
            return &r->range[i];
    return NULL;
}

bool ranges_meet(const struct memory_ranges *r, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->range[i].from < to && from < r->range[i].to)
            return true;
    return false;
}

bool ranges_cover(const struct memory_ranges *r, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < r->count && from < to; i++)
        if (from >= r->range[i].from && from < r->range[i].to)
            from = r->range[i].to;
    return from >= to;
}

uint32_t ranges_access(const struct memory_ranges *r, uint64_t from, uint64_t to)
{
    uint32_t access = 0;

    for (uint32_t i = 0; i < r->count; i++)
        if (r->range[i].from < to && from < r->range[i].to)
            access |= r->range[i].access;
    return access;
}

static void delete(struct memory_ranges *r, uint32_t at)
{
    r->count--;
    memmove(&r->range[at], &r->range[at + 1], (r->count - at) * sizeof r->range[0]);
}

static void insert(struct memory_ranges *r, uint32_t at, struct memory_range new)
{
    memmove(&r->range[at + 1], &r->range[at], (r->count - at) * sizeof r->range[0]);
    r->range[at] = new;
    r->count++;
}

/* What is left of a range without [from, to) is one part, two or none.  It needs room for one more. */
static void cut(struct memory_ranges *r, uint32_t at, uint64_t from, uint64_t to)
{
    struct memory_range *const old = &r->range[at];
    const struct memory_range upper = { to, old->to, old->access };

    if (old->from < from && upper.from < upper.to) {
        old->to = from;
        insert(r, at + 1, upper);
    } else if (old->from < from) {
        old->to = from;
    } else if (upper.from < upper.to) {
        old->from = to;
    } else {
        delete(r, at);
    }
}

bool ranges_clear(struct memory_ranges *r, uint64_t from, uint64_t to)
{
    if (r->count == MEMORY_RANGES_MAX)
        return false;
    for (uint32_t i = r->count; i-- > 0;)
        if (r->range[i].from < to && from < r->range[i].to)
            cut(r, i, from, to);
    return true;
}

/* Two neighbours are one where they touch and are alike. */
static void join(struct memory_ranges *r, uint32_t at)
{
    if (at + 1 >= r->count || r->range[at].to != r->range[at + 1].from ||
        r->range[at].access != r->range[at + 1].access)
        return;
    r->range[at].to = r->range[at + 1].to;
    delete(r, at + 1);
}

bool ranges_set(struct memory_ranges *r, uint64_t from, uint64_t to, uint32_t access)
{
    uint32_t at = 0;

    if (r->count + 2 > MEMORY_RANGES_MAX) /* a cut may need one more, and the new one is another */
        return false;
    ranges_clear(r, from, to);
    while (at < r->count && r->range[at].from < from)
        at++;
    insert(r, at, (struct memory_range){ from, to, access });
    join(r, at);
    if (at > 0)
        join(r, at - 1);
    return true;
}

uint64_t ranges_gap(const struct memory_ranges *r, uint64_t bytes, uint64_t low, uint64_t high)
{
    for (uint32_t i = r->count; i-- > 0;) {
        if (r->range[i].from >= high) /* all of it above: nothing to do with the gap */
            continue;
        if (r->range[i].to <= high && high - r->range[i].to >= bytes)
            break;
        high = r->range[i].from;
    }
    return high >= low && high - low >= bytes && bytes != 0 && high - bytes >= low ? high - bytes : 0;
}

uint64_t ranges_bytes(const struct memory_ranges *r)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < r->count; i++)
        sum += r->range[i].to - r->range[i].from;
    return sum;
}
