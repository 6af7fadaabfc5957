/* SPDX-License-Identifier: MIT */
/*
 * Complaints and memory for the subcommands: one way to say what is wrong.
 */
#include "tools/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void complain(const char *format, ...)
{
    va_list arguments;

    fflush(stdout); /* a sentence stands after what it speaks of, in one terminal too */
    fputs("cpuprobe: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void *need(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count, size);

    if (!memory && count && size) {
        complain("there is no memory left");
        exit(EXIT_NOTHING);
    }
    return memory;
}
