/* SPDX-License-Identifier: MIT */
/* Unsigned LEB128 numbers in the bytes of a field (DWARF 5, section 7.6).  Any context. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEB128_MOST 10u /* bytes of a number of 64 bits */

/* Bytes that are being read. */
struct leb128_bytes {
    const uint8_t *at, *end;
};

/* Write `n`; returns the bytes written, at most LEB128_MOST. */
static inline uint32_t leb128_put(uint8_t *to, uint64_t n)
{
    uint32_t length = 0;

    while (n > 0x7f) {
        to[length++] = (uint8_t)(n | 0x80);
        n >>= 7;
    }
    to[length++] = (uint8_t)n;
    return length;
}

/* Read the next number; false if it is cut short or has more than 64 bits. */
static inline bool leb128_get(struct leb128_bytes *from, uint64_t *n)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        const uint8_t byte = *from->at++;

        if (shift == 63 && byte > 1)
            return false;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *n = value;
            return true;
        }
    }
    return false;
}
