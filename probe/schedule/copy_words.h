/* SPDX-License-Identifier: MIT */
/*
 * Copies what a tick copies: kilobytes, where it closes a window.  The memcpy of a small kernel may copy byte by
 * byte, eight times as long.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/schedule/memory.h"

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
