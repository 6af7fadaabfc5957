/* SPDX-License-Identifier: MIT */
/*
 * Address spaces.  The low half belongs to a task; the high half belongs to the kernel
 * and is the same in all:
 *   0xffff800000000000  all memory below 4 GiB (DIRECT_BASE)
 *   0xffffc00000000000  stacks of the tasks, a guard page under each
 *   0xffffd00000000000  the framebuffer, where there is one
 *   0xffffd00040000000  the registers of a UART in memory, where the stream's is one
 *   0xffffffff80100000  the image, each page with one kind of access
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/mm/page_alloc.h"

#define USER_TOP    0x0000800000000000ull
#define USER_STACK_TOP   0x00007ffffffff000ull
#define USER_STACK_PAGES 4
#define KERNEL_STACKS    0xffffc00000000000ull

#define PAGE_WRITE   (1ull << 1)
#define PAGE_USER    (1ull << 2)
#define PAGE_NO_CODE (1ull << 63)

/*
 * Make the final page tables from those of the door: text can be executed and not
 * written, nothing else can be executed, no alias of text and constants can be written,
 * and the identity map is gone.  Once, after cpu_init() and free_regions_init().
 */
void paging_init(void);

/* A new address space with the kernel's half: its root, 0 where there is no memory. */
uint64_t paging_new_space(void);

/*
 * Free a space that is in no CR3: the pages that are mapped in the task's half, and the
 * tables.  What the kernel's half maps stays.  Task context.
 */
void paging_release(uint64_t space);

/*
 * Map one page with the PAGE_ bits `access`.  False where there is no memory.  Mapping
 * the same page again changes its access.
 */
bool paging_map(uint64_t space, uint64_t virtual, uint64_t physical, uint64_t access);

/* Map a new zeroed page, which the space owns: its physical address, 0 where there is no memory. */
uint64_t paging_map_new(uint64_t space, uint64_t virtual, uint64_t access);

/*
 * The same, but the page is not mapped before paging_unhide(), which answers whether there was one at this address
 * and needs no memory: until then it faults.  Any context in which nobody changes the space.
 */
bool paging_map_hidden(uint64_t space, uint64_t virtual, uint64_t access);
bool paging_unhide(uint64_t space, uint64_t virtual);

/*
 * The lowest address in [from, to) whose page the task's half maps; `to` where there is none.  Then, of one page that
 * is mapped there: change its access, where 0 is none for the task; free it.  The space may be in CR3.  Task context.
 */
uint64_t paging_next_mapped(uint64_t space, uint64_t from, uint64_t to);
void paging_protect(uint64_t space, uint64_t virtual, uint64_t access);
void paging_unmap(uint64_t space, uint64_t virtual);

/* The kernel's address of a page that is mapped in a task's half; NULL where none is mapped. */
void *paging_lookup(uint64_t space, uint64_t virtual);

/* The kernel's own space. */
uint64_t paging_kernel_space(void);

/*
 * Map a framebuffer of at most FRAMEBUFFER_MOST bytes at any physical address, in all spaces: where it is.  Its
 * writes are combined where the CPU has a PAT.  Once, before paging_init() or after it, and before any space is made.
 */
#define FRAMEBUFFER_AT 0xffffd00000000000ull
volatile uint8_t *paging_map_framebuffer(uint64_t physical, uint64_t bytes);

/*
 * Map registers of at most REGISTERS_MOST bytes at any physical address, uncached, in all spaces: the address of the
 * first one.  They take the place of what was mapped before.  Once before paging_init() or after it, and before any
 * space is made; then again, before tasks run.
 */
#define REGISTERS_AT    (FRAMEBUFFER_AT + (1ull << 30))
#define REGISTERS_PAGES 2u
#define REGISTERS_MOST  4096u
uint64_t paging_map_registers(uint64_t physical, uint64_t bytes);

/*
 * Do not cache the direct map around this address below 4 GiB, where a device is.  False in the 2 MiB of the image.
 * After paging_init(), interrupts off.
 */
bool paging_uncache(uint64_t physical);

/* The bytes of the image in memory. */
uint64_t paging_image_bytes(void);

/* The addresses of the image's code, [*low, *high). */
void paging_text_range(uint64_t *low, uint64_t *high);

/* Whether the whole range lies in the half that belongs to tasks. */
static inline bool paging_is_user(uint64_t address, uint64_t bytes)
{
    return address < USER_TOP && bytes <= USER_TOP - address;
}

/* The entries of four-level page tables, and the way through them.  Intel SDM 3A, 4.5. */

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
