/* SPDX-License-Identifier: MIT */
/* Finds the user programs that the image carries, by index and by name. */
#include "kernel/mm/programs.h"

#include <stddef.h>

#include "kernel/lib/string.h"

extern const struct program program_table[], program_table_end[]; /* programs.asm */

uint32_t programs_carried(void)
{
    return (uint32_t)(program_table_end - program_table);
}

const struct program *program_at(uint32_t index)
{
    return index < programs_carried() ? &program_table[index] : NULL;
}

const struct program *program_named(const char *name, uint32_t *number)
{
    for (const struct program *p = program_table; p < program_table_end; p++) {
        if (!string_equal(p->name, name))
            continue;
        if (number != NULL)
            *number = (uint32_t)(p - program_table);
        return p;
    }
    return NULL;
}
