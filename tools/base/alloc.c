/* SPDX-License-Identifier: MIT */
/* Allocates memory; ends the program if there is none. */
#include "tools/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/base/exit_code.h"

void *xrealloc_array(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count, size);

    if (!memory && count && size) {
        fputs("cpuprobe: there is no memory left\n", stderr);
        exit(EXIT_NO_DATA);
    }
    return memory;
}

void *xgrow(void *old, size_t count, size_t size)
{
    return count & (count - 1) ? old : xrealloc_array(old, count ? 2 * count : 1, size);
}
