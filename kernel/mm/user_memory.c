/* SPDX-License-Identifier: MIT */
/* Reading and writing a task's memory through the direct map. */
#include "kernel/mm/user_memory.h"

#include "kernel/mm/page_walk.h"
#include "kernel/mm/paging.h"
#include "probe/schedule/memory.h"

#define READABLE (PAGE_PRESENT | PAGE_USER)
#define WRITABLE (READABLE | PAGE_WRITE)
#define OFFSET   ((uint64_t)PAGE_SIZE - 1)

static uint64_t left_in_page(uint64_t address)
{
    return PAGE_SIZE - (address & OFFSET);
}

/* The kernel's address of the byte; NULL where its page lacks a bit of `need`. */
static uint8_t *find(uint64_t space, uint64_t address, uint64_t need)
{
    uint8_t *const page = page_walk(space, address, need);

    return page != 0 ? page + (address & OFFSET) : 0;
}

static bool is_allowed(uint64_t space, uint64_t address, uint64_t bytes, uint64_t need)
{
    if (!paging_is_user(address, bytes))
        return false;
    for (uint64_t at = address; at < address + bytes; at += left_in_page(at))
        if (find(space, at, need) == 0)
            return false;
    return true;
}

/* What of [address, address + bytes) lies in the page of `address`. */
static uint64_t piece(uint64_t address, uint64_t bytes)
{
    return bytes < left_in_page(address) ? bytes : left_in_page(address);
}

bool user_memory_read(uint64_t space, void *to, uint64_t address, uint64_t bytes)
{
    uint8_t *put = to;

    if (!is_allowed(space, address, bytes, READABLE))
        return false;
    for (uint64_t n; bytes > 0; bytes -= n, address += n, put += n) {
        n = piece(address, bytes);
        memcpy(put, find(space, address, READABLE), n);
    }
    return true;
}

bool user_memory_write(uint64_t space, uint64_t address, const void *from, uint64_t bytes)
{
    const uint8_t *take = from;

    if (!is_allowed(space, address, bytes, WRITABLE))
        return false;
    for (uint64_t n; bytes > 0; bytes -= n, address += n, take += n) {
        n = piece(address, bytes);
        memcpy(find(space, address, WRITABLE), take, n);
    }
    return true;
}

void *user_memory_writable(uint64_t space, uint64_t address, uint64_t bytes)
{
    if (bytes > left_in_page(address) || !is_allowed(space, address, bytes, WRITABLE))
        return 0;
    return find(space, address, WRITABLE);
}
