/* SPDX-License-Identifier: MIT */
/* Allocates memory; ends the program if there is none. */
#include "tools/base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/base/cli.h"

_Noreturn void out_of_memory(void)
{
    fputs("cpuprobe: there is no memory left\n", stderr);
    exit(EXIT_NO_DATA);
}

void *xrealloc_array(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count, size);

    if (!memory && count && size)
        out_of_memory();
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory && count && size)
        out_of_memory();
    return memory;
}

void *xgrow(void *old, size_t count, size_t size)
{
    return count & (count - 1) ? old : xrealloc_array(old, count ? 2 * count : 1, size);
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        out_of_memory();
    return text;
}
