/* SPDX-License-Identifier: MIT */
/*
 * Physical memory in pages of 4 KiB.  Single pages come from the list of freed pages
 * first; a run of pages comes from memory that was never used.
 */
#include "kernel/mm/page_alloc.h"

#include "kernel/account/exact_time.h"
#include "probe/core/memory.h"

static struct boot_region region[BOOT_REGIONS]; /* never used yet; interrupts off, as all below */
static uint32_t regions;
static uint64_t spare;  /* first freed page; each holds the address of the next; 0: there is none */
static uint64_t spares; /* freed pages */

void page_alloc_init(const struct boot_info *info)
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

/* The first run that is long enough; 0: none.  Interrupts off. */
static uint64_t find_run(uint64_t pages)
{
    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE >= pages)
            return take(&region[i], pages);
    return 0;
}

uint64_t page_alloc_run(uint64_t pages)
{
    const bool on = irq_save();
    const uint64_t first = find_run(pages);

    irq_restore(on);
    return first;
}

uint64_t page_alloc_longest_run(void)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < regions; i++)
        if (region[i].length / PAGE_SIZE > most)
            most = region[i].length / PAGE_SIZE;
    return most;
}

uint64_t page_alloc_left(void)
{
    uint64_t left = spares;

    for (uint32_t i = 0; i < regions; i++)
        left += region[i].length / PAGE_SIZE;
    return left;
}

/* Interrupts off. */
static uint64_t take_spare(void)
{
    const uint64_t page = spare;

    spare = *(uint64_t *)phys_to_virt(page);
    spares--;
    return page;
}

uint64_t page_alloc(void)
{
    const bool on = irq_save();
    const uint64_t page = spare != 0 ? take_spare() : find_run(1);

    irq_restore(on);
    if (page != 0)
        memset(phys_to_virt(page), 0, PAGE_SIZE);
    return page;
}

void page_free(uint64_t page)
{
    const bool on = irq_save();

    *(uint64_t *)phys_to_virt(page) = spare;
    spare = page;
    spares++;
    irq_restore(on);
}
