/* SPDX-License-Identifier: MIT */
/*
 * The programs and the names take 130 KiB, and as files of gzip 29 KiB: the one is made before the image is linked
 * (programs.asm), the other after it (symbols.asm).
 */
#include "kernel/mm/carried.h"

#include <stddef.h>

#include "kernel/lib/gzip.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/programs.h"
#include "kernel/mm/symbols.h"

extern const uint8_t packed_programs[], packed_programs_end[]; /* programs.asm */
extern const uint8_t packed_symbols[];                         /* symbols.asm */
extern const uint32_t packed_symbols_bytes;

static void *unpack(const uint8_t *file, size_t bytes, struct refusal *why)
{
    const size_t size = gzip_size(file, bytes);
    const uint64_t pages = page_alloc_run((size + PAGE_SIZE - 1) / PAGE_SIZE);

    if (pages == 0)
        return REFUSE(why, "out of memory: what the image carries packed cannot be unpacked"), NULL;
    if (!gzip_decode(file, bytes, phys_to_virt(pages), size))
        return REFUSE(why, "the image is damaged: what it carries packed cannot be unpacked"), NULL;
    return phys_to_virt(pages);
}

bool carried_unpack(struct refusal *why)
{
    void *const programs = unpack(packed_programs, (size_t)(packed_programs_end - packed_programs), why);
    const char *const names = programs == NULL ? NULL : unpack(packed_symbols, packed_symbols_bytes, why);

    if (names == NULL)
        return false;
    programs_use(programs);
    symbols_use(names);
    return true;
}
