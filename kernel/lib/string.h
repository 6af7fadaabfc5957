/* SPDX-License-Identifier: MIT */
/* Strings that end with a zero: equality, length, copy.  Any context. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline bool string_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline size_t string_length(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0')
        n++;
    return n;
}

/* Copy at most `room` bytes, the ending zero included; the rest is cut off. */
static inline void string_copy(char *to, const char *from, size_t room)
{
    while (room > 1 && *from != '\0') {
        *to++ = *from++;
        room--;
    }
    *to = '\0';
}
