/* SPDX-License-Identifier: MIT */
/*
 * Physical memory in pages of 4 KiB.  Single pages come from the list of freed pages
 * first; a run of pages comes from memory that was never used.
 */
#include "kernel/mm/page_alloc.h"

#include "kernel/account/exact_time.h"
#include "kernel/mm/free_regions.h"
#include "probe/schedule/memory.h"

static uint64_t spare;  /* first freed page; each holds the address of the next; 0: there is none; interrupts off */
static uint64_t spares; /* freed pages */

uint64_t page_alloc_run(uint64_t pages)
{
    const bool on = irq_save();
    const uint64_t first = free_regions_take(pages);

    irq_restore(on);
    return first;
}

uint64_t page_alloc_longest_run(void)
{
    return free_regions_longest();
}

uint64_t page_alloc_left(void)
{
    return spares + free_regions_pages();
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
    const uint64_t page = spare != 0 ? take_spare() : free_regions_take(1);

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
