/* SPDX-License-Identifier: MIT */
/* The user programs that the image carries, found by name. */
#include "kernel/mm/programs.h"

#include <stddef.h>

#include "kernel/lib/string.h"

static const struct program *table; /* set once, at the start */
static uint32_t carried;

void programs_use(void *files)
{
    uint8_t *const at = files;
    struct program *const row = (void *)(at + sizeof(uint64_t));

    carried = (uint32_t)*(const uint64_t *)files;
    table = row;
    for (uint32_t i = 0; i < carried; i++)
        row[i] = (struct program){ (const char *)at + (uintptr_t)row[i].name, at + (uintptr_t)row[i].begin, at + (uintptr_t)row[i].end };
}

uint32_t programs_carried(void)
{
    return carried;
}

const struct program *program_at(uint32_t index)
{
    return index < carried ? &table[index] : NULL;
}

const struct program *program_named(const char *name, uint32_t *number)
{
    for (uint32_t i = 0; i < carried; i++) {
        if (!string_equal(table[i].name, name))
            continue;
        if (number != NULL)
            *number = i;
        return &table[i];
    }
    return NULL;
}
