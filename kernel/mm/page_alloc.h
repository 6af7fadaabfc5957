/* SPDX-License-Identifier: MIT */
/*
 * Physical memory, by 4 KiB pages.  It comes from kernel/mm/free_regions.h.
 * All of it: the start, and task context at ring 0.
 */
#pragma once

#include <stdint.h>

#include "kernel/boot_info.h"

#define PAGE_SIZE 4096u

/* Allocate a zeroed page: its physical address, 0 where none is left. */
uint64_t page_alloc(void);

/* Free a page of page_alloc() that nothing maps any more. */
void page_free(uint64_t page);

/* Allocate so many pages in a row, not zeroed: 0 where there is no such run.  They cannot be freed. */
uint64_t page_alloc_run(uint64_t pages);

/* The most pages in a row that page_alloc_run() can give. */
uint64_t page_alloc_longest_run(void);

/* Free pages, those that were freed included. */
uint64_t page_alloc_left(void);

/* Physical memory as the kernel sees it. */
static inline void *phys_to_virt(uint64_t physical)
{
    return (void *)(DIRECT_BASE + physical);
}
