/* SPDX-License-Identifier: MIT */
/* Regions of free memory, made from entries that may contradict each other. */
#include "boot/memory_map.h"

#include <stdbool.h>

#define FRAME    4096ull
#define LOWEST   0x100000ull   /* below are tables, code and data of firmware and loaders */
#define FOUR_GIB 0x100000000ull

static uint64_t end_of(const struct boot_region *r)
{
    return r->base + r->length;
}

static void drop(struct boot_info *info, uint32_t at)
{
    info->regions--;
    for (uint32_t i = at; i < info->regions; i++)
        info->region[i] = info->region[i + 1];
}

static uint32_t smallest(const struct boot_info *info)
{
    uint32_t least = 0;

    for (uint32_t i = 1; i < info->regions; i++)
        if (info->region[i].length < info->region[least].length)
            least = i;
    return least;
}

/* Whether there is room for a region of this length, made at the cost of a smaller one if need be. */
static bool make_room(struct boot_info *info, uint64_t length)
{
    if (info->regions < BOOT_REGIONS)
        return true;
    if (info->region[smallest(info)].length >= length)
        return false;
    drop(info, smallest(info));
    return true;
}

/* Keep a region that touches no other. */
static void keep(struct boot_info *info, uint64_t base, uint64_t end)
{
    uint32_t at;

    if (base >= end || !make_room(info, end - base))
        return;
    for (at = info->regions++; at > 0 && info->region[at - 1].base > base; at--)
        info->region[at] = info->region[at - 1];
    info->region[at] = (struct boot_region){ base, end - base };
}

void memory_map_free(struct boot_info *info, uint64_t base, uint64_t length)
{
    uint64_t end = base + length;

    if (end < base || base >= FOUR_GIB)
        return;
    base = base < LOWEST ? LOWEST : (base + FRAME - 1) & ~(FRAME - 1);
    end = (end > FOUR_GIB ? FOUR_GIB : end) & ~(FRAME - 1);
    if (base >= end)
        return;
    for (uint32_t i = 0; i < info->regions;) {
        const struct boot_region r = info->region[i];

        if (end_of(&r) < base || r.base > end) {
            i++;
            continue;
        }
        base = r.base < base ? r.base : base;
        end = end_of(&r) > end ? end_of(&r) : end;
        drop(info, i);
    }
    keep(info, base, end);
}

void memory_map_reserve(struct boot_info *info, uint64_t base, uint64_t length)
{
    uint64_t end = base + length < base ? UINT64_MAX : base + length;

    if (length == 0 || base >= FOUR_GIB)
        return;
    base &= ~(FRAME - 1);
    end = end > FOUR_GIB ? FOUR_GIB : (end + FRAME - 1) & ~(FRAME - 1);
    for (uint32_t i = 0; i < info->regions;) {
        const struct boot_region r = info->region[i];

        if (end_of(&r) <= base || r.base >= end) {
            i++;
            continue;
        }
        drop(info, i);
        keep(info, r.base, base);
        keep(info, end, end_of(&r));
        i = 0; /* what was kept or given up stands elsewhere now; what was cut is not met again */
    }
}
