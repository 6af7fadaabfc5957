/* SPDX-License-Identifier: MIT */
/* Processes: their memory, and what changes when one gets the processor. */
#include "kernel/process/process.h"

#include <stddef.h>

#include "kernel/cpu/extended_state.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"

_Static_assert(sizeof(struct process) <= PAGE_SIZE, "a process is one page");

static uint64_t frame_of(const void *page)
{
    return (uint64_t)page - DIRECT_BASE;
}

static void free_page(const void *page)
{
    if (page != NULL)
        page_free(frame_of(page));
}

static void *new_page(void)
{
    const uint64_t page = page_alloc();

    return page != 0 ? phys_to_virt(page) : NULL;
}

static bool make_vectors(struct process *p)
{
    if (!extended_state_exists())
        return true;
    if (extended_state_bytes() > PAGE_SIZE)
        return false;
    p->vectors = new_page();
    if (p->vectors != NULL)
        extended_state_initial(p->vectors);
    return p->vectors != NULL;
}

struct process *process_new(void)
{
    struct process *const p = new_page();

    if (p == NULL)
        return NULL;
    p->space = paging_new_space();
    if (p->space != 0 && make_vectors(p))
        return p;
    process_release(p);
    return NULL;
}

void process_release(struct process *p)
{
    if (p->space != 0)
        paging_release(p->space);
    free_page(p->vectors);
    free_page(p);
}

void process_enter(const struct process *p)
{
    if (p->vectors != NULL)
        extended_state_load(p->vectors);
    syscall_instruction_set_bases(p->fs_base, p->gs_base);
    syscall_instruction_allow(true);
}

void process_leave(struct process *p)
{
    if (p->vectors != NULL)
        extended_state_save(p->vectors);
    syscall_instruction_allow(false);
}

void process_count_unknown(struct process *p, uint64_t number)
{
    uint32_t i = 0;

    while (i < PROCESS_UNKNOWN - 1 && p->unknown[i].count != 0 && p->unknown[i].number != number)
        i++;
    p->unknown[i].number = number;
    p->unknown[i].count++;
}
