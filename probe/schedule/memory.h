/* SPDX-License-Identifier: MIT */
/*
 * The four functions that a compiler takes for granted even freestanding (C11,
 * 7.24; GCC manual, "Language Standards"): all that probe/ needs of a libc.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

/*
 * Copies what a tick copies: kilobytes, where it closes a window.  The memcpy of a small kernel may copy byte by
 * byte, eight times as long.
 */

/* Copy `bytes`, a multiple of 8, between aligned places that do not overlap.  Any context. */
static inline void copy_words(void *to, const void *from, size_t bytes)
{
#ifdef PROBE_NO_BUILTINS
    uint64_t *const t = to;
    const uint64_t *const f = from;

    for (size_t i = 0; i < bytes / sizeof *t; i++) {
        t[i] = f[i];
        __asm__ volatile("" : : : "memory"); /* else the compiler makes a call of memcpy of it */
    }
#else
    memcpy(to, from, bytes);
#endif
}
