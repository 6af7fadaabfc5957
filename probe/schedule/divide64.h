/* SPDX-License-Identifier: MIT */
/*
 * Division of 64 bits without a compiler's library, which 32-bit targets would need.
 * Any context but a tick: it takes long.
 */
#pragma once

#include <stdint.h>

/* n / d by shifting; d from 1 to 2^63 - 1. */
static inline uint64_t divide64(uint64_t n, uint64_t d)
{
    uint64_t quotient = 0, rest = 0;

#ifndef PROBE_NO_BUILTINS /* a processor may lack the instruction for 32 bits too */
    if (n <= UINT32_MAX && d <= UINT32_MAX)
        return (uint32_t)n / (uint32_t)d;
#endif
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (n >> bit & 1);
        if (rest >= d) {
            rest -= d;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return quotient;
}
