/* SPDX-License-Identifier: MIT */
/* The entries of four-level page tables, and the way through them.  Intel SDM 3A, 4.5. */
#pragma once

#include "kernel/mm/page_alloc.h"

#define PAGE_ENTRIES 512
#define PAGE_PRESENT (1ull << 0)
#define PAGE_FRAME   0x000ffffffffff000ull

/*
 * The kernel's address of the page that holds `virtual`, which is in a task's half; NULL where an
 * entry on the way to it lacks one of the bits `need`, PAGE_PRESENT among them.  Any context.
 */
static inline void *page_walk(uint64_t space, uint64_t virtual, uint64_t need)
{
    uint64_t entry = space | need;

    for (int shift = 39; shift >= 12 && (entry & need) == need; shift -= 9)
        entry = ((const uint64_t *)phys_to_virt(entry & PAGE_FRAME))[virtual >> shift & (PAGE_ENTRIES - 1)];
    return (entry & need) == need ? phys_to_virt(entry & PAGE_FRAME) : 0;
}
