/* SPDX-License-Identifier: MIT */
/*
 * Address spaces.  The low half is a task's own; the high half is the kernel's
 * and the same in all:
 *   0xffff800000000000  all memory below 4 GiB (DIRECT_BASE)
 *   0xffffc00000000000  stacks of the tasks, a guard page under each
 *   0xffffffff80100000  the image, each page with one kind of access
 */
#ifndef KERNEL_MM_PAGING_H
#define KERNEL_MM_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define USER_TOP    0x0000800000000000ull
#define USER_STACK_TOP   0x00007ffffffff000ull
#define USER_STACK_PAGES 4
#define KERNEL_STACKS    0xffffc00000000000ull

#define PAGE_WRITE   (1ull << 1)
#define PAGE_USER    (1ull << 2)
#define PAGE_NO_CODE (1ull << 63)

/*
 * From the first tables to the real ones: text executable and read-only, the
 * rest no code, no alias of the image that could be written, no identity map.
 * Once, after cpu_init and page_alloc_init.
 */
void paging_init(void);

/* A new address space with the kernel's half: its root, 0 where memory is out. */
uint64_t paging_new_space(void);

/*
 * Give back a space that no CR3 holds: the pages that are mapped in the task's half,
 * and the tables.  What the kernel's half maps stays.  Task context.
 */
void paging_release(uint64_t space);

/*
 * Map one page; `access` of the PAGE_ bits above.  False where memory is out.
 * Mapping the same page again changes its access.
 */
bool paging_map(uint64_t space, uint64_t virtual, uint64_t physical, uint64_t access);

/* Map a zeroed page that the space is to own: its physical address, 0 where memory is out. */
uint64_t paging_map_new(uint64_t space, uint64_t virtual, uint64_t access);

/* Where the kernel sees a page that is mapped in a task's half; NULL where none is. */
void *paging_lookup(uint64_t space, uint64_t virtual);

/* The kernel's own space. */
uint64_t paging_kernel_space(void);

/* Where the image's code stands, [*low, *high). */
void paging_text_range(uint64_t *low, uint64_t *high);

/* True if the whole range lies in the half that belongs to tasks. */
static inline bool paging_is_user(uint64_t address, uint64_t bytes)
{
    return address < USER_TOP && bytes <= USER_TOP - address;
}

#endif
