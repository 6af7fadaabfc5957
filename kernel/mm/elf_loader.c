/* SPDX-License-Identifier: MIT */
/* ELF64 programs into an address space.  System V gABI, chapters 4 and 5. */
#include "kernel/mm/elf_loader.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "probe/core/memory.h"

#define ELF_MAGIC   0x464c457fu
#define CLASS_64    2
#define TYPE_EXEC   2
#define MACHINE_X86_64 62
#define PT_LOAD     1
#define PT_NOTE     4
#define NT_GNU_BUILD_ID 3
#define PF_X        1u
#define PF_W        2u

struct elf_header {
    uint32_t magic;
    uint8_t class, rest[11];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, phoff, shoff;
    uint32_t flags;
    uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, vaddr, paddr, filesz, memsz, align;
};

struct elf_note {
    uint32_t name_bytes, bytes, type;
    char name[4]; /* "GNU" */
};

static bool map_segment(uint64_t space, const struct elf_segment *s, const uint8_t *image, struct refusal *why)
{
    const uint64_t first = s->vaddr & ~(uint64_t)(PAGE_SIZE - 1);
    const uint64_t access = PAGE_USER | (s->flags & PF_W ? PAGE_WRITE : 0) |
                            (s->flags & PF_X ? 0 : PAGE_NO_CODE);

    for (uint64_t at = first; at < s->vaddr + s->memsz; at += PAGE_SIZE) {
        const uint64_t page = paging_map_new(space, at, access);
        const uint64_t from = at > s->vaddr ? at : s->vaddr;
        uint64_t to = at + PAGE_SIZE;

        if (page == 0)
            return REFUSE(why, "out of memory");
        if (to > s->vaddr + s->filesz)
            to = s->vaddr + s->filesz;
        if (from < to)
            memcpy((uint8_t *)phys_to_virt(page) + (from - at),
                   image + s->offset + (from - s->vaddr), to - from);
    }
    return true;
}

static bool check_segment(const struct elf_segment *s, uint64_t bytes, uint64_t from, struct refusal *why)
{
    if (s->filesz > s->memsz || s->offset > bytes || s->filesz > bytes - s->offset)
        return REFUSE(why, "a segment runs past the end of the file");
    if (!paging_is_user(s->vaddr, s->memsz))
        return REFUSE(why, "a segment lies outside user addresses");
    if ((s->vaddr & ~(uint64_t)(PAGE_SIZE - 1)) < from)
        return REFUSE(why, "two segments share a page, or stand in no order");
    if (s->vaddr + s->memsz > USER_STACK_TOP - (USER_STACK_PAGES + 1) * PAGE_SIZE)
        return REFUSE(why, "a segment reaches the stack");
    if ((s->flags & PF_X) && (s->flags & PF_W))
        return REFUSE(why, "a segment is both writable and code");
    return true;
}

static bool is_program(const struct elf_header *h, uint64_t bytes)
{
    return bytes >= sizeof *h && h->magic == ELF_MAGIC && h->class == CLASS_64 &&
           h->type == TYPE_EXEC && h->machine == MACHINE_X86_64 &&
           h->phentsize == sizeof(struct elf_segment) && h->phoff <= bytes &&
           h->phnum <= (bytes - h->phoff) / sizeof(struct elf_segment);
}

static const struct elf_segment *segment_at(const struct elf_header *h, unsigned i)
{
    return (const void *)((const uint8_t *)h + h->phoff + i * sizeof(struct elf_segment));
}

/* The note of the build id, if it is the first of its segment, where ld puts it. */
static const struct elf_note *build_note(const void *image, uint64_t bytes,
                                         const struct elf_segment *s)
{
    const struct elf_note *note = (const void *)((const uint8_t *)image + s->offset);

    if (s->type != PT_NOTE || s->offset > bytes || s->filesz > bytes - s->offset ||
        s->filesz < sizeof *note + ELF_BUILD_ID)
        return NULL;
    return note->type == NT_GNU_BUILD_ID && note->name_bytes == sizeof note->name &&
                   note->bytes == ELF_BUILD_ID ? note : NULL;
}

bool elf_build_id(const void *image, uint64_t bytes, uint8_t id[ELF_BUILD_ID])
{
    const struct elf_header *h = image;

    if (!is_program(h, bytes))
        return false;
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_note *note = build_note(image, bytes, segment_at(h, i));

        if (note != NULL) {
            memcpy(id, note + 1, ELF_BUILD_ID);
            return true;
        }
    }
    return false;
}

bool elf_code(const void *image, uint64_t bytes, uint64_t *low, uint64_t *high)
{
    const struct elf_header *h = image;

    *low = UINT64_MAX;
    *high = 0;
    for (unsigned i = 0; is_program(h, bytes) && i < h->phnum; i++) {
        const struct elf_segment *s = segment_at(h, i);

        if (s->type != PT_LOAD || !(s->flags & PF_X))
            continue;
        *low = s->vaddr < *low ? s->vaddr : *low;
        *high = s->vaddr + s->memsz > *high ? s->vaddr + s->memsz : *high;
    }
    return *low < *high;
}

uint64_t elf_load(uint64_t space, const void *image, uint64_t bytes, struct refusal *why)
{
    const struct elf_header *h = image;
    uint64_t from = 0; /* end of the segment before */

    if (!is_program(h, bytes))
        return REFUSE(why, "no ELF64 program for x86-64");
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_segment *s = segment_at(h, i);

        if (s->type != PT_LOAD || s->memsz == 0)
            continue;
        if (!check_segment(s, bytes, from, why) || !map_segment(space, s, image, why))
            return 0;
        from = s->vaddr + s->memsz;
    }
    return paging_is_user(h->entry, 1) ? h->entry : (uint64_t)REFUSE(why, "its entry lies outside user addresses");
}
