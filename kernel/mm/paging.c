/* SPDX-License-Identifier: MIT */
/* Address spaces: four-level page tables.  Intel SDM 3A, chapter 4. */
#include "kernel/mm/paging.h"

#include "drivers/framebuffer.h"
#include "kernel/cpu/cpu.h"

#define BIG          (1ull << 7)
#define PAGE_HIDDEN  (1ull << 9) /* to the CPU it means nothing: a page that paging_unhide() maps */
#define UNCACHED     (1ull << 4)
#define UNCACHED_STRONG (3ull << 3) /* entry 3 of the PAT, which no MTRR weakens */
#define BIG_PAGE     (2ull << 20)
#define BIG_COMBINED (1ull << 12) /* entry 4 of the PAT (kernel/cpu/control_registers.c) */
#define DEVICES_FROM 0xfe000000ull /* local and I/O APIC, HPET */

extern char image_start[], text_end[], rodata_end[], image_end[]; /* linker.ld */
extern uint64_t boot_pml4[], direct_pds[], image_pts[];           /* boot/entry64.asm */
extern uint64_t image_physical;

static uint64_t devices_pdpt[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE))); /* the start, as the next three */
static uint64_t framebuffer_pd[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE)));
static uint64_t registers_pd[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE)));
static uint64_t registers_pt[PAGE_ENTRIES] __attribute__((aligned(PAGE_SIZE)));
static uint64_t kernel_space; /* physical; set once, by paging_init */

static uint64_t image_to_physical(const void *place)
{
    return (uint64_t)place - (uint64_t)image_start + image_physical;
}

/* To a CPU without NX bit 63 is reserved and must be 0. */
static uint64_t allowed(uint64_t access)
{
    return cpu.nx ? access : access & ~PAGE_NO_CODE;
}

/* An upper entry gives all rights of its half: the pages decide, and may change. */
static uint64_t *next_level(uint64_t *table, unsigned index, uint64_t virtual)
{
    if (!(table[index] & PAGE_PRESENT)) {
        const uint64_t page = page_alloc();

        if (page == 0)
            return 0;
        table[index] = page | PAGE_PRESENT | PAGE_WRITE | (virtual < USER_TOP ? PAGE_USER : 0);
    }
    return phys_to_virt(table[index] & PAGE_FRAME);
}

bool paging_map(uint64_t space, uint64_t virtual, uint64_t physical, uint64_t access)
{
    uint64_t *table = phys_to_virt(space);

    for (int shift = 39; shift > 12; shift -= 9) {
        table = next_level(table, virtual >> shift & (PAGE_ENTRIES - 1), virtual);
        if (table == 0)
            return false;
    }
    table[virtual >> 12 & (PAGE_ENTRIES - 1)] = physical | PAGE_PRESENT | allowed(access);
    return true;
}

uint64_t paging_map_new(uint64_t space, uint64_t virtual, uint64_t access)
{
    const uint64_t page = page_alloc();

    if (page == 0 || paging_map(space, virtual, page, access))
        return page;
    page_free(page);
    return 0;
}

bool paging_map_hidden(uint64_t space, uint64_t virtual, uint64_t access)
{
    uint64_t *entry;

    if (paging_map_new(space, virtual, access) == 0)
        return false;
    entry = page_entry(space, virtual, PAGE_PRESENT);
    *entry = (*entry & ~PAGE_PRESENT) | PAGE_HIDDEN;
    return true;
}

bool paging_unhide(uint64_t space, uint64_t virtual)
{
    uint64_t *const entry = virtual < USER_TOP ? page_entry(space, virtual, PAGE_PRESENT) : 0;

    if (entry == 0 || (*entry & (PAGE_PRESENT | PAGE_HIDDEN)) != PAGE_HIDDEN)
        return false;
    *entry = (*entry & ~PAGE_HIDDEN) | PAGE_PRESENT;
    return true;
}

/* The address behind what an entry stands for that is not there: a page, or all that a missing table would map. */
static uint64_t behind(uint64_t space, uint64_t virtual)
{
    uint64_t table = space;

    for (int shift = 39; shift > 12; shift -= 9) {
        const uint64_t entry = ((uint64_t *)phys_to_virt(table))[virtual >> shift & (PAGE_ENTRIES - 1)];

        if (!(entry & PAGE_PRESENT))
            return ((virtual >> shift) + 1) << shift;
        table = entry & PAGE_FRAME;
    }
    return virtual + PAGE_SIZE;
}

uint64_t paging_next_mapped(uint64_t space, uint64_t from, uint64_t to)
{
    while (from < to && page_walk(space, from, PAGE_PRESENT) == 0)
        from = behind(space, from);
    return from < to ? from : to;
}

static void set_entry(uint64_t *entry, uint64_t virtual, uint64_t value)
{
    *entry = value;
    __asm__ volatile("invlpg (%0)" : : "r"(virtual) : "memory");
}

void paging_protect(uint64_t space, uint64_t virtual, uint64_t access)
{
    uint64_t *const entry = page_entry(space, virtual, PAGE_PRESENT);

    set_entry(entry, virtual, (*entry & PAGE_FRAME) | PAGE_PRESENT | allowed(access));
}

void paging_unmap(uint64_t space, uint64_t virtual)
{
    uint64_t *const entry = page_entry(space, virtual, PAGE_PRESENT);
    const uint64_t page = *entry & PAGE_FRAME;

    set_entry(entry, virtual, 0);
    page_free(page);
}

void *paging_lookup(uint64_t space, uint64_t virtual)
{
    return page_walk(space, virtual, PAGE_PRESENT);
}

uint64_t paging_new_space(void)
{
    const uint64_t space = page_alloc();
    uint64_t *to, *from;

    if (space == 0)
        return 0;
    to = phys_to_virt(space);
    from = phys_to_virt(kernel_space);
    for (int i = PAGE_ENTRIES / 2; i < PAGE_ENTRIES; i++)
        to[i] = from[i];
    return space;
}

/* The first `entries` of a table: pages where `shift` is 12, else tables of the next level. */
static void release(uint64_t table, unsigned entries, int shift)
{
    const uint64_t *entry = phys_to_virt(table);

    for (unsigned i = 0; i < entries; i++) {
        if (!(entry[i] & (PAGE_PRESENT | PAGE_HIDDEN)))
            continue;
        if (shift > 12)
            release(entry[i] & PAGE_FRAME, PAGE_ENTRIES, shift - 9);
        else
            page_free(entry[i] & PAGE_FRAME);
    }
    page_free(table);
}

void paging_release(uint64_t space)
{
    release(space, PAGE_ENTRIES / 2, 39);
}

uint64_t paging_kernel_space(void)
{
    return kernel_space;
}

static void protect_image(void)
{
    const uint64_t first = (uint64_t)image_start >> 12 & (PAGE_ENTRIES * 4 - 1);
    const uint64_t pages = (uint64_t)(image_end - image_start) >> 12;

    for (uint64_t i = 0; i < pages; i++) {
        const char *at = image_start + (i << 12);
        uint64_t access = PAGE_WRITE | PAGE_NO_CODE;

        if (at < text_end)
            access = 0;
        else if (at < rodata_end)
            access = PAGE_NO_CODE;
        image_pts[first + i] = (image_physical + (i << 12)) | PAGE_PRESENT | allowed(access);
    }
}

/* The direct map cannot be executed; its alias of the image's text and constants is read-only. */
static void protect_direct_map(void)
{
    const uint64_t fixed_end = image_to_physical(rodata_end);
    const uint64_t access = allowed(PAGE_WRITE | PAGE_NO_CODE);

    for (uint64_t i = 0; i < 4 * PAGE_ENTRIES; i++) {
        const uint64_t base = i * BIG_PAGE;

        direct_pds[i] = base | PAGE_PRESENT | BIG | access |
                        (base >= DEVICES_FROM ? UNCACHED : 0);
        if (base + BIG_PAGE <= image_physical || base >= fixed_end)
            continue;
        const uint64_t page = page_alloc();
        uint64_t *table = phys_to_virt(page);

        for (uint64_t k = 0; k < PAGE_ENTRIES; k++) {
            const uint64_t at = base + (k << 12);
            const bool fixed = at >= image_physical && at < fixed_end;

            table[k] = at | PAGE_PRESENT | allowed(fixed ? PAGE_NO_CODE : PAGE_WRITE | PAGE_NO_CODE);
        }
        direct_pds[i] = page | PAGE_PRESENT | PAGE_WRITE;
    }
}

void paging_init(void)
{
    kernel_space = image_to_physical(boot_pml4);
    protect_image();
    protect_direct_map();
    /* Made now, so that each new space copies this top-level entry. */
    next_level(boot_pml4, KERNEL_STACKS >> 39 & (PAGE_ENTRIES - 1), KERNEL_STACKS);
    boot_pml4[0] = 0;
    __asm__ volatile("mov %0, %%cr3" : : "r"(kernel_space) : "memory");
}

/* Map a table of this gigabyte of the devices' part. */
static void map_devices(unsigned gigabyte, const uint64_t *pd)
{
    const uint64_t kept = PAGE_PRESENT | PAGE_WRITE;

    devices_pdpt[gigabyte] = image_to_physical(pd) | kept;
    boot_pml4[FRAMEBUFFER_AT >> 39 & (PAGE_ENTRIES - 1)] = image_to_physical(devices_pdpt) | kept;
}

volatile uint8_t *paging_map_framebuffer(uint64_t physical, uint64_t bytes)
{
    const uint64_t first = physical & ~(BIG_PAGE - 1), kept = PAGE_PRESENT | PAGE_WRITE;
    const uint64_t access = kept | BIG | (cpu.pat ? BIG_COMBINED : UNCACHED) | allowed(PAGE_NO_CODE);

    _Static_assert(FRAMEBUFFER_MOST + BIG_PAGE <= PAGE_ENTRIES * BIG_PAGE, "one table has room for it");
    for (uint64_t i = 0; first + i * BIG_PAGE < physical + bytes; i++)
        framebuffer_pd[i] = (first + i * BIG_PAGE) | access;
    map_devices(0, framebuffer_pd);
    return (volatile uint8_t *)(FRAMEBUFFER_AT + (physical - first));
}

uint64_t paging_map_registers(uint64_t physical, uint64_t bytes)
{
    const uint64_t within = physical & (PAGE_SIZE - 1), access = PAGE_PRESENT | PAGE_WRITE | UNCACHED_STRONG;

    _Static_assert(REGISTERS_AT - FRAMEBUFFER_AT == PAGE_ENTRIES * BIG_PAGE, "the next gigabyte");
    for (uint64_t i = 0; i < REGISTERS_PAGES; i++)
        set_entry(&registers_pt[i], REGISTERS_AT + i * PAGE_SIZE,
                  i * PAGE_SIZE < within + bytes ? (physical - within + i * PAGE_SIZE) | access |
                  allowed(PAGE_NO_CODE) : 0);
    registers_pd[0] = image_to_physical(registers_pt) | PAGE_PRESENT | PAGE_WRITE;
    map_devices(1, registers_pd);
    return REGISTERS_AT + within;
}

bool paging_uncache(uint64_t physical)
{
    uint64_t *const entry = &direct_pds[physical / BIG_PAGE];

    if (!(*entry & BIG))
        return false;
    set_entry(entry, DIRECT_BASE + physical, *entry | UNCACHED_STRONG);
    return true;
}

uint64_t paging_image_bytes(void)
{
    return (uint64_t)(image_end - image_start);
}

void paging_text_range(uint64_t *low, uint64_t *high)
{
    *low = (uint64_t)image_start;
    *high = (uint64_t)text_end;
}
