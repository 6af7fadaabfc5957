/* SPDX-License-Identifier: MIT */
/*
 * Gives the image memcpy, memmove, memset, memcmp.  REP MOVSB and STOSB are fast on every CPU that runs long mode and
 * safe in interrupt context.
 */
#include "probe/schedule/memory.h"

#include <stdint.h>

/* The linker calls for them after it has seen the whole program: they stand apart from it. */
#define APART __attribute__((used, noinline))

APART void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    void *d = to;
    size_t words = bytes / 8;

    bytes %= 8;
    __asm__ volatile("rep movsq" : "+D"(d), "+S"(from), "+c"(words) : : "memory");
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(bytes) : : "memory");
    return to;
}

APART void *memmove(void *to, const void *from, size_t bytes)
{
    uint8_t *d = to;
    const uint8_t *s = from;

    if (d <= s || d >= s + bytes)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        d[bytes] = s[bytes];
    return to;
}

APART void *memset(void *to, int byte, size_t bytes)
{
    const uint64_t eight = (uint8_t)byte * 0x0101010101010101ull;
    void *d = to;
    size_t words = bytes / 8;

    bytes %= 8;
    __asm__ volatile("rep stosq" : "+D"(d), "+c"(words) : "a"(eight) : "memory");
    __asm__ volatile("rep stosb" : "+D"(d), "+c"(bytes) : "a"(eight) : "memory");
    return to;
}

APART int memcmp(const void *a, const void *b, size_t bytes)
{
    const uint8_t *x = a, *y = b;

    for (; bytes > 0; bytes--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}
