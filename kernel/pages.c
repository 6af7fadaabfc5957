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

uint64_t pages_take(void)
{
    for (uint32_t i = 0; i < regions; i++) {
        uint64_t page;

        if (region[i].length < PAGE_SIZE)
            continue;
        page = region[i].base;
        region[i].base += PAGE_SIZE;
        region[i].length -= PAGE_SIZE;
        memset(pages_at(page), 0, PAGE_SIZE);
        return page;
    }
    return 0;
}
