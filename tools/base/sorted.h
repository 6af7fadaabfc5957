/* SPDX-License-Identifier: MIT */
/* Searches an array whose elements have rising numbers in one of their members, a uint64_t. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first element with the number `least` or more; `count`: there is none.  `member`: where the first one's is. */
static inline size_t sorted_search(const void *array, size_t count, size_t stride, size_t member, uint64_t least)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (*(const uint64_t *)(const void *)((const char *)array + middle * stride + member) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define SORTED_FROM(array, count, member, least) \
    sorted_search(array, count, sizeof(*(array)), offsetof(__typeof__(*(array)), member), least)

/* The first element with a number above `most`, which is evaluated twice. */
#define SORTED_ABOVE(array, count, member, most) \
    ((most) == UINT64_MAX ? (count) : SORTED_FROM(array, count, member, (most) + 1))
