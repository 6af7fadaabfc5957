/* SPDX-License-Identifier: MIT */
/* ELF64 programs into an address space.  System V gABI, chapters 4 and 5. */
#include "kernel/mm/elf_loader.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "probe/coding/loaded_hash.h"
#include "probe/schedule/memory.h"

#define NT_GNU_BUILD_ID 3

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

/* Whether the file is for x86-64, and its table of segments lies in it. */
static bool has_segments(const struct elf_header *h, uint64_t bytes)
{
    return bytes >= sizeof *h && h->magic == ELF_MAGIC && h->class == ELF_CLASS_64 && h->machine == ELF_X86_64 &&
           h->phentsize == sizeof(struct elf_segment) && h->phoff % 8 == 0 && h->phoff <= bytes &&
           h->phnum <= (bytes - h->phoff) / sizeof(struct elf_segment);
}

/* Bytes of a note's name or of what it describes, with what fills them up. */
static uint64_t padded(uint32_t bytes)
{
    return ((uint64_t)bytes + 3) & ~3ull;
}

/* The note of the build id in this segment; NULL: it has none. */
static const struct elf_note *build_note(const void *image, uint64_t bytes, const struct elf_segment *s)
{
    const uint8_t *at = (const uint8_t *)image + s->offset;
    uint64_t left = s->filesz;

    if (s->type != PT_NOTE || s->offset % 4 != 0 || s->offset > bytes || s->filesz > bytes - s->offset)
        return NULL;
    while (left >= sizeof(struct elf_note) + ELF_BUILD_ID) {
        const struct elf_note *const note = (const void *)at;
        const uint64_t whole = sizeof *note - sizeof note->name + padded(note->name_bytes) + padded(note->bytes);

        if (note->type == NT_GNU_BUILD_ID && note->name_bytes == sizeof note->name && note->bytes == ELF_BUILD_ID)
            return note;
        if (whole > left)
            return NULL;
        at += whole;
        left -= whole;
    }
    return NULL;
}

bool elf_build_id(const void *image, uint64_t bytes, uint8_t id[ELF_BUILD_ID])
{
    const struct elf_header *h = image;

    if (!has_segments(h, bytes))
        return false;
    for (unsigned i = 0; i < h->phnum; i++) {
        const struct elf_note *note = build_note(image, bytes, elf_segment_at(h, i));

        if (note != NULL) {
            memcpy(id, note + 1, ELF_BUILD_ID);
            return true;
        }
    }
    return false;
}

uint64_t elf_loaded_hash(const void *image, uint64_t bytes)
{
    const struct elf_header *h = image;
    uint64_t hash = LOADED_HASH_NONE;

    for (unsigned i = 0; has_segments(h, bytes) && i < h->phnum; i++) {
        const struct elf_segment *const s = elf_segment_at(h, i);
        const uint64_t skips = loaded_hash_skips(s->offset, s->filesz);

        if (s->type == PT_LOAD && s->offset <= bytes && s->filesz <= bytes - s->offset)
            hash = loaded_hash(hash, (const uint8_t *)image + s->offset + skips, s->filesz - skips);
    }
    return hash;
}

static bool is_program(const struct elf_header *h, uint64_t bytes)
{
    return has_segments(h, bytes) && h->type == ELF_TYPE_EXEC;
}

bool elf_code(const void *image, uint64_t bytes, uint64_t *low, uint64_t *high)
{
    const struct elf_header *h = image;

    *low = UINT64_MAX;
    *high = 0;
    for (unsigned i = 0; is_program(h, bytes) && i < h->phnum; i++) {
        const struct elf_segment *s = elf_segment_at(h, i);

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
        const struct elf_segment *s = elf_segment_at(h, i);

        if (s->type != PT_LOAD || s->memsz == 0)
            continue;
        if (!check_segment(s, bytes, from, why) || !map_segment(space, s, image, why))
            return 0;
        from = s->vaddr + s->memsz;
    }
    return paging_is_user(h->entry, 1) ? h->entry : (uint64_t)REFUSE(why, "its entry lies outside user addresses");
}
