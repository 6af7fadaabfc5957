/* SPDX-License-Identifier: MIT */
/* The entries of four-level page tables, and the way through them.  Intel SDM 3A, 4.5. */
#pragma once

#include "kernel/mm/page_alloc.h"

#define PAGE_ENTRIES 512
#define PAGE_PRESENT (1ull << 0)
#define PAGE_FRAME   0x000ffffffffff000ull

/*
 * The entry of the page that holds `virtual`, which is in a task's half; NULL where one of the three entries above it
 * lacks one of the bits `need`, PAGE_PRESENT among them.  The entry itself may lack them.
 * Any context.
 */
static inline uint64_t *page_entry(uint64_t space, uint64_t virtual, uint64_t need)
{
    uint64_t entry = space | need, *at = 0;

    for (int shift = 39; shift >= 12; shift -= 9) {
        if ((entry & need) != need)
            return 0;
        at = (uint64_t *)phys_to_virt(entry & PAGE_FRAME) + (virtual >> shift & (PAGE_ENTRIES - 1));
        entry = *at;
    }
    return at;
}

/* The kernel's address of that page; NULL where its own entry lacks one of the bits too.  Any context. */
static inline void *page_walk(uint64_t space, uint64_t virtual, uint64_t need)
{
    const uint64_t *const entry = page_entry(space, virtual, need);

    return entry != 0 && (*entry & need) == need ? phys_to_virt(*entry & PAGE_FRAME) : 0;
}
