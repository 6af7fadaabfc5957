/* SPDX-License-Identifier: MIT */
/*
 * How long a number is in binary.  A built-in function is a call of the compiler's library where there is no
 * instruction.
 */
#pragma once

#include <stdint.h>

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
