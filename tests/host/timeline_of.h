/* SPDX-License-Identifier: MIT */
/* A timeline of bytes in memory, for the tests of what reads one. */
#pragma once

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/timeline/timeline.h"

/* NULL, with a message, as timeline_open(). */
static inline struct timeline *timeline_of(const void *bytes, size_t length, unsigned long epoch)
{
    const struct timeline_request request = {.epoch = epoch};
    const int file = memfd_create("stream", 0);
    char path[32];
    struct timeline *t;

    if (write(file, bytes, length) != (ssize_t)length)
        perror("memfd");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    t = timeline_open(path, &request);
    close(file);
    return t;
}
