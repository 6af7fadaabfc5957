/* SPDX-License-Identifier: MIT */
/* Keeps the list of regions that were never used, and tells where beside free memory a device can be. */
#include "kernel/mm/free_regions.h"

#include "kernel/mm/page_alloc.h"

#define REGIONS_MAX (BOOT_REGIONS + BOOT_MODULES) /* each reservation may divide one */
#define ONE_MIB     0x100000u

static struct boot_region region[REGIONS_MAX];
static uint32_t regions;

void free_regions_init(const struct boot_info *info)
{
    regions = info->regions;
    for (uint32_t i = 0; i < regions; i++)
        region[i] = info->region[i];
}

bool free_regions_reserve(uint64_t base, uint64_t bytes)
{
    const uint64_t length = bytes + (-bytes & (PAGE_SIZE - 1));

    for (uint32_t i = 0; i < regions && length >= bytes; i++) {
        struct boot_region *const r = &region[i];
        const uint64_t before = base - r->base;

        if (base < r->base || before > r->length || length > r->length - before)
            continue;
        if (regions == REGIONS_MAX)
            return false;
        region[regions++] = (struct boot_region){ base + length, r->length - before - length };
        r->length = before;
        return true;
    }
    return false;
}

static uint64_t take_first(struct boot_region *r, uint64_t pages)
{
    const uint64_t first = r->base;

    r->base += pages * PAGE_SIZE;
    r->length -= pages * PAGE_SIZE;
    return first;
}

/* The first run that is long enough. */
uint64_t free_regions_take(uint64_t pages)
{
    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE >= pages)
            return take_first(&region[i], pages);
    return 0;
}

uint64_t free_regions_longest(void)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE > most)
            most = region[i].length / PAGE_SIZE;
    return most;
}

uint64_t free_regions_pages(void)
{
    uint64_t pages = 0;

    for (uint32_t i = 0; i < regions; i++)
        pages += region[i].length / PAGE_SIZE;
    return pages;
}

struct range {
    uint64_t base, end;
};

static int overlap(const struct range *r, uint64_t from, uint64_t bytes)
{
    return r->base < from + bytes && from < r->end;
}

const char *device_place_check(const struct boot_info *boot, uint64_t image_bytes, uint64_t base, uint64_t bytes)
{
    const struct range r = { base, base + bytes };

    if (r.end < base)
        return "it passes the end of all addresses";
    if (overlap(&r, 0, ONE_MIB) || overlap(&r, boot->image, image_bytes))
        return "it overlaps the image, or the first MiB";
    for (uint32_t i = 0; i < boot->regions && i < BOOT_REGIONS; i++)
        if (overlap(&r, boot->region[i].base, boot->region[i].length))
            return "it overlaps free memory";
    return 0;
}
