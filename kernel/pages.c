/* SPDX-License-Identifier: MIT */
/*
 * Physical memory, by 4 KiB pages, taken in order and never given back: tasks
 * start once and the image has no other use for memory.
 */
#include "kernel/pages.h"

#include "probe/memory.h"

static struct boot_region region[BOOT_REGIONS]; /* what is left; task context */
static uint32_t regions;

void pages_init(const struct boot_info *info)
{
    regions = info->regions;
    for (uint32_t i = 0; i < regions; i++)
        region[i] = info->region[i];
}

static uint64_t take(struct boot_region *r, uint64_t pages)
{
    const uint64_t first = r->base;

    r->base += pages * PAGE_SIZE;
    r->length -= pages * PAGE_SIZE;
    return first;
}

uint64_t pages_take_run(uint64_t pages)
{
    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE >= pages)
            return take(&region[i], pages);
    return 0;
}

uint64_t pages_room(void)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE > most)
            most = region[i].length / PAGE_SIZE;
    return most;
}

uint64_t pages_left(void)
{
    uint64_t left = 0;

    for (uint32_t i = 0; i < regions; i++)
        left += region[i].length / PAGE_SIZE;
    return left;
}

uint64_t pages_take(void)
{
    const uint64_t page = pages_take_run(1);

    if (page != 0)
        memset(pages_at(page), 0, PAGE_SIZE);
    return page;
}
