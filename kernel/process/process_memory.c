/* SPDX-License-Identifier: MIT */
/* The pages of a process. */
#include "kernel/process/process_memory.h"

#include <stddef.h>

#include "kernel/account/exact_time.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/user_memory.h"
#include "probe/schedule/memory.h"

#define OFFSET ((uint64_t)PAGE_SIZE - 1)

/* A page that the program may not touch at all stays mapped, for the kernel alone. */
static uint64_t page_access(uint32_t access)
{
    return (access != 0 ? PAGE_USER : 0) | (access & MEMORY_WRITE ? PAGE_WRITE : 0) |
           (access & MEMORY_CODE ? 0 : PAGE_NO_CODE);
}

/* Interrupts are off between a page's owner and the next one: a task can be ended wherever they are on. */
static bool map_page(struct process *p, uint64_t address, uint64_t access)
{
    const bool on = irq_save();
    const bool there = paging_lookup(p->space, address) != NULL || paging_map_new(p->space, address, access) != 0;

    irq_restore(on);
    return there;
}

bool process_touch(struct process *p, uint64_t address, uint32_t access)
{
    const struct memory_range *const range = ranges_find(&p->ranges, address);

    if (range == NULL || (range->access & access) != access)
        return false;
    return map_page(p, address & ~OFFSET, page_access(range->access));
}

bool process_is_range(uint64_t from, uint64_t to)
{
    return from >= PROCESS_LOW && from < to && to <= PROCESS_HIGH && ((from | to) & OFFSET) == 0;
}

void process_empty(struct process *p, uint64_t from, uint64_t to)
{
    for (uint64_t at = paging_next_mapped(p->space, from, to); at < to; at = paging_next_mapped(p->space, at, to)) {
        const bool on = irq_save();

        paging_unmap(p->space, at);
        irq_restore(on);
    }
}

bool process_map(struct process *p, uint64_t from, uint64_t to, uint32_t access)
{
    if (to - from > PROCESS_BYTES_MAX - ranges_bytes(&p->ranges) || !ranges_set(&p->ranges, from, to, access))
        return false;
    process_empty(p, from, to);
    return true;
}

bool process_unmap(struct process *p, uint64_t from, uint64_t to)
{
    if (!ranges_clear(&p->ranges, from, to))
        return false;
    process_empty(p, from, to);
    return true;
}

bool process_protect(struct process *p, uint64_t from, uint64_t to, uint32_t access)
{
    if (!ranges_set(&p->ranges, from, to, access))
        return false;
    for (uint64_t at = from; (at = paging_next_mapped(p->space, at, to)) < to; at += PAGE_SIZE)
        paging_protect(p->space, at, page_access(access));
    return true;
}

/* What of [address, address + bytes) lies in the page of `address`. */
static uint64_t piece(uint64_t address, uint64_t bytes)
{
    const uint64_t left = PAGE_SIZE - (address & OFFSET);

    return bytes < left ? bytes : left;
}

bool process_fill(struct process *p, uint64_t address, const void *from, uint64_t bytes)
{
    const uint8_t *take = from;

    for (uint64_t n; bytes > 0; bytes -= n, address += n, take += n) {
        n = piece(address, bytes);
        if (!process_touch(p, address, 0))
            return false;
        memcpy((uint8_t *)paging_lookup(p->space, address & ~OFFSET) + (address & OFFSET), take, n);
    }
    return true;
}

static bool touch_all(struct process *p, uint64_t address, uint64_t bytes, uint32_t access)
{
    if (!paging_is_user(address, bytes))
        return false;
    for (uint64_t n; bytes > 0; bytes -= n, address += n) {
        n = piece(address, bytes);
        if (!process_touch(p, address, access))
            return false;
    }
    return true;
}

bool process_read(struct process *p, void *to, uint64_t address, uint64_t bytes)
{
    return touch_all(p, address, bytes, MEMORY_READ) && user_memory_read(p->space, to, address, bytes);
}

bool process_write(struct process *p, uint64_t address, const void *from, uint64_t bytes)
{
    return touch_all(p, address, bytes, MEMORY_WRITE) && user_memory_write(p->space, address, from, bytes);
}
