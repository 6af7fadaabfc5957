/* SPDX-License-Identifier: MIT */
/*
 * Mutations for libFuzzer that know the sections of an ELF file: what changes
 * are the bytes of one of them, in their place, so that the file stays one.
 * Every second change is in debug information, which is behind the most code.
 */
#include "tests/fuzz/fuzz.h"

#include <elf.h>
#include <stdbool.h>

#define SECTIONS_MOST 64
#define ROOM          (64 << 10)

struct part {
    size_t at, length;
    bool debug;
};

/* What no program loads, and is no table of another kind. */
static bool is_debug(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_PROGBITS && !(section->sh_flags & SHF_ALLOC);
}

/* Where sections with bytes are, and the headers of them all. */
static size_t find_parts(const uint8_t *data, size_t size, struct part *part)
{
    Elf64_Ehdr file;
    Elf64_Shdr section;
    size_t count = 0;

    if (size < sizeof(file))
        return 0;
    memcpy(&file, data, sizeof(file));
    if (memcmp(file.e_ident, ELFMAG, SELFMAG))
        return 0;
    for (size_t i = 0; i < file.e_shnum && count < SECTIONS_MOST; i++) {
        size_t at = file.e_shoff + i * sizeof(section);

        if (at > size || size - at < sizeof(section))
            break;
        part[count++] = (struct part){at, sizeof(section), false};
        memcpy(&section, data + at, sizeof(section));
        if (section.sh_type == SHT_NOBITS || !section.sh_size || section.sh_offset >= size ||
            section.sh_size > size - section.sh_offset || count == SECTIONS_MOST)
            continue;
        part[count++] = (struct part){section.sh_offset, section.sh_size, is_debug(&section)};
    }
    return count;
}

/* One of those that are debug information, where there are any; else of all. */
static struct part choose(const struct part *part, size_t parts, uint32_t random)
{
    size_t debug = 0;

    for (size_t i = 0; i < parts; i++)
        debug += part[i].debug;
    if (!debug || random & 1)
        return part[(random >> 4) % parts];
    debug = (random >> 4) % debug;
    while (!part->debug || debug--)
        part++;
    return *part;
}

/* A number of one byte more or less, or a bit: what forms, lengths and references are. */
static void nudge(uint8_t *bytes, size_t length, uint32_t random)
{
    uint8_t *const at = bytes + (random >> 3) % length;

    *at = random & 4 ? (uint8_t)(*at ^ 1u << (random & 3)) : (uint8_t)(*at + (random & 3) - 1);
}

/* As long as before: what is too much is cut, what is missing stays. */
static void change(uint8_t *bytes, size_t length)
{
    static uint8_t copy[ROOM];

    if (length > sizeof(copy))
        length = sizeof(copy);
    memcpy(copy, bytes, length);
    memcpy(bytes, copy, LLVMFuzzerMutate(copy, length, length));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct part part[SECTIONS_MOST], chosen;
    const uint32_t random = (seed + 1) * 2654435769u;
    uint32_t length;
    uint8_t *file = data;
    size_t parts;

    if (size > sizeof(length) && memcmp(data, ELFMAG, SELFMAG)) { /* a program and its debug file */
        memcpy(&length, data, sizeof(length));
        file += sizeof(length);
        if (length < size - sizeof(length) && random >> 16 & 1)
            file += length;
    }
    parts = find_parts(file, size - (size_t)(file - data), part);
    if (!parts || random >> 20 < 1 << 9)
        return LLVMFuzzerMutate(data, size, most);
    chosen = choose(part, parts, random);
    if (random >> 8 & 3)
        change(file + chosen.at, chosen.length);
    else
        nudge(file + chosen.at, chosen.length, random * 2654435769u);
    return size;
}
