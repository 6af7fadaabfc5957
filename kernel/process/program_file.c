/* SPDX-License-Identifier: MIT */
/* ELF files of programs that were not made for this kernel. */
#include "kernel/process/process.h"

#include <stddef.h>

#include "kernel/mm/elf_loader.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/process/process_memory.h"

#define PROGRAM_END 0x0000100000000000ull /* no segment reaches higher: above are the heap, mappings and the stack */
#define KIB         1024u

static uint64_t page_floor(uint64_t address)
{
    return address & ~(uint64_t)(PAGE_SIZE - 1);
}

static uint64_t page_ceiling(uint64_t address)
{
    return page_floor(address + PAGE_SIZE - 1);
}

static bool check_kind(const struct elf_header *h, uint64_t bytes, struct refusal *why)
{
    if (bytes < sizeof *h || h->magic != ELF_MAGIC)
        return REFUSE(why, "it is no ELF file");
    if (h->class == ELF_CLASS_32)
        return REFUSE(why, "it is a program of 32 bits: compile it for x86-64");
    if (h->class != ELF_CLASS_64 || h->machine != ELF_X86_64)
        return REFUSE(why, "it is not for x86-64");
    if (h->type != ELF_TYPE_EXEC && h->type != ELF_TYPE_DYN)
        return REFUSE(why, "it is no program: an object file, or a core");
    if (h->phnum == 0 || h->phentsize != sizeof(struct elf_segment) || h->phoff % 8 != 0 || h->phoff > bytes ||
        h->phnum > (bytes - h->phoff) / sizeof(struct elf_segment))
        return REFUSE(why, "its table of segments runs past the end of the file");
    return true;
}

static bool check_segment(const struct elf_segment *s, uint64_t bytes, uint64_t base, uint64_t from,
                          struct refusal *why)
{
    if (s->filesz > s->memsz || s->offset > bytes || s->filesz > bytes - s->offset)
        return REFUSE(why, "a segment runs past the end of the file");
    if (s->vaddr > PROGRAM_END || s->memsz > PROGRAM_END || base + s->vaddr < PROCESS_LOW ||
        (base == 0 && s->vaddr + s->memsz > PROGRAM_END))
        return REFUSE(why, "a segment lies outside the addresses of a program");
    if (page_floor(s->vaddr) < from)
        return REFUSE(why, "two segments share a page, or stand in no order");
    if ((s->flags & PF_X) && (s->flags & PF_W))
        return REFUSE(why, "a segment is both writable and code");
    return true;
}

/* All but the contents of the segments.  Counts the memory that they need. */
static bool check_segments(const struct elf_header *h, uint64_t bytes, uint64_t base, uint64_t *need,
                           struct refusal *why)
{
    uint64_t from = 0; /* end of the segment before */

    *need = 0;
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_segment *const s = elf_segment_at(h, i);

        if (s->type == PT_INTERP)
            return REFUSE(why, "it is dynamically linked: link it with -static or -static-pie");
        if (s->type != PT_LOAD || s->memsz == 0)
            continue;
        if (!check_segment(s, bytes, base, from, why))
            return false;
        from = s->vaddr + s->memsz;
        *need += page_ceiling(from) - page_floor(s->vaddr);
    }
    return *need != 0 || REFUSE(why, "it has no segments to load");
}

static bool check_memory(uint64_t need, struct refusal *why)
{
    const uint64_t left = page_alloc_left() * PAGE_SIZE;

    return need <= left ||
           REFUSE_WITH(why, "it needs %1 KiB of memory, and %2 KiB are free", REFUSAL_NUMBER(need / KIB),
                       REFUSAL_NUMBER(left / KIB));
}

static bool check_entry(const struct elf_header *h, struct refusal *why)
{
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_segment *const s = elf_segment_at(h, i);

        if (s->type == PT_LOAD && (s->flags & PF_X) && h->entry >= s->vaddr && h->entry - s->vaddr < s->filesz)
            return true;
    }
    return REFUSE(why, "its entry lies outside its code");
}

static uint32_t access_of(const struct elf_segment *s)
{
    return MEMORY_READ | (s->flags & PF_W ? MEMORY_WRITE : 0) | (s->flags & PF_X ? MEMORY_CODE : 0);
}

static bool map_segment(struct process *p, const struct elf_segment *s, const uint8_t *file)
{
    const uint64_t from = p->base + s->vaddr;

    return process_map(p, page_floor(from), page_ceiling(from + s->memsz), access_of(s)) &&
           process_fill(p, from, file + s->offset, s->filesz);
}

static bool map_segments(struct process *p, const struct elf_header *h, struct refusal *why)
{
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_segment *const s = elf_segment_at(h, i);

        if (s->type != PT_LOAD || s->memsz == 0)
            continue;
        if (!map_segment(p, s, (const uint8_t *)h))
            return REFUSE(why, "out of memory, or more segments than there is room for");
        p->heap_from = p->heap_end = page_ceiling(p->base + s->vaddr + s->memsz);
    }
    return true;
}

/* Where the table of segments is in memory: in the segment that holds its place in the file. */
static uint64_t table_address(const struct elf_header *h, uint64_t base)
{
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_segment *const s = elf_segment_at(h, i);

        if (s->type == PT_LOAD && h->phoff >= s->offset && h->phoff - s->offset < s->filesz)
            return base + s->vaddr + (h->phoff - s->offset);
    }
    return 0;
}

bool program_load(struct process *p, const void *file, uint64_t bytes, struct program_start *start,
                  struct refusal *why)
{
    const struct elf_header *const h = file;
    uint64_t need;

    if (!check_kind(h, bytes, why))
        return false;
    p->base = h->type == ELF_TYPE_DYN ? PROGRAM_PIE_BASE : 0;
    if (!check_segments(h, bytes, p->base, &need, why) || !check_memory(need, why) || !check_entry(h, why) ||
        !map_segments(p, h, why))
        return false;
    *start = (struct program_start){
        .entry = p->base + h->entry, .base = p->base,
        .segments = table_address(h, p->base), .segment_count = h->phnum,
    };
    return true;
}
