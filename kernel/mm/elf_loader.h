/* SPDX-License-Identifier: MIT */
/* ELF64 programs into an address space.  System V gABI, chapters 4 and 5. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

/*
 * Map the program's segments; only code can be executed, and no code can be written.  Returns the
 * entry address, or 0 and *why: no ELF64 program, an address outside the user half, a page both
 * writable and executable, out of memory.  Task context.
 */
uint64_t elf_load(uint64_t space, const void *image, uint64_t bytes, struct refusal *why);

/* The address range [*low, *high) of its code; false where it has none. */
bool elf_code(const void *image, uint64_t bytes, uint64_t *low, uint64_t *high);

#define ELF_BUILD_ID 20 /* bytes of a SHA-1 */

/* The build id that the linker left in the program's notes; false where there is none. */
bool elf_build_id(const void *image, uint64_t bytes, uint8_t id[ELF_BUILD_ID]);

/* The hash of what it loads (probe/coding/loaded_hash.h); a file that is no program has that of no bytes. */
uint64_t elf_loaded_hash(const void *image, uint64_t bytes);

/* What an ELF64 file begins with, and its segments.  System V gABI, chapters 4 and 5. */

#define ELF_MAGIC      0x464c457fu
#define ELF_CLASS_32   1
#define ELF_CLASS_64   2
#define ELF_TYPE_EXEC  2
#define ELF_TYPE_DYN   3
#define ELF_X86_64     62

#define PT_LOAD   1u
#define PT_INTERP 3u
#define PT_NOTE   4u
#define PT_PHDR   6u

#define PF_X 1u
#define PF_W 2u
#define PF_R 4u

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

/* By number, below phnum, of a file whose table of segments lies in the file. */
static inline const struct elf_segment *elf_segment_at(const struct elf_header *h, unsigned i)
{
    return (const void *)((const uint8_t *)h + h->phoff + i * sizeof(struct elf_segment));
}
