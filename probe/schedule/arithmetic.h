/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic without a compiler's library: a division of 64 bits is a call of it on 32-bit targets, and so is a
 * built-in function for which there is no instruction.
 */
#pragma once

#include <stdint.h>

/* n / d by shifting; d from 1 to 2^63 - 1.  Any context but a tick: it takes long. */
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

/* Binary digits of n, 0 of 0.  Six steps, any context. */
static inline unsigned binary_digits(uint64_t n)
{
    unsigned digits = 0;

    for (unsigned step = 32; step > 0; step /= 2)
        if (n >> step != 0) {
            n >>= step;
            digits += step;
        }
    return digits + (unsigned)n;
}

/* Zeros before the first binary digit of n, which is not 0, in 32 bits.  Any context. */
static inline unsigned leading_zeros(uint32_t n)
{
#ifdef PROBE_NO_BUILTINS
    return 32 - binary_digits(n);
#else
    return (unsigned)__builtin_clz(n);
#endif
}

/* The smaller one.  Any context. */
static inline uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
