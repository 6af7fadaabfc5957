/* SPDX-License-Identifier: MIT */
/* The file that a counter writes when QEMU ends. */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct report {
    const char *path;
    void (*write)(FILE *file);
};

/* As an at_exit callback; `data` is the struct report. */
static inline void report_write(uint64_t id, void *data)
{
    const struct report *r = data;
    FILE *file = fopen(r->path, "w");

    (void)id;
    if (file == NULL)
        return;
    r->write(file);
    fclose(file);
}
