/* SPDX-License-Identifier: MIT */
/*
 * Numbers side by side in a vector register.  These are the compiler's vector types, which it makes ordinary code of
 * where a processor has no vectors; only the product is named, because GCC does not see that 32 bits are enough of
 * it.  Task or host context: a tick's handler may not use vector registers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/schedule/memory.h"

typedef uint32_t lanes32 __attribute__((vector_size(16)));
typedef int32_t lanes32_signed __attribute__((vector_size(16)));
typedef uint64_t lanes64 __attribute__((vector_size(16)));

#define LANES_UPPER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) /* which of the halves of 64 bits is the upper one */

/* The products of numbers below 2^32. */
static inline lanes64 lanes_product(lanes64 a, lanes64 b)
{
#if defined __SSE2__ && !defined __clang__
    typedef int operand __attribute__((vector_size(16)));

    return (lanes64)__builtin_ia32_pmuludq128((operand)a, (operand)b);
#else
    return (a & 0xffffffff) * (b & 0xffffffff); /* clang makes the same of it */
#endif
}

/* The same number in each. */
static inline lanes32 lanes32_of(uint32_t n)
{
    return (lanes32){n, n, n, n};
}

static inline lanes64 lanes64_of(uint64_t n)
{
    return (lanes64){n, n};
}

/* Two numbers in memory, wherever they lie. */
static inline lanes64 lanes_at(const uint64_t *at)
{
    lanes64 two;

    memcpy(&two, at, sizeof two);
    return two;
}

static inline void lanes_put(uint64_t *at, lanes64 two)
{
    memcpy(at, &two, sizeof two);
}

/* The upper halves of four, and the lower ones. */
static inline lanes32 lanes_upper(lanes64 a, lanes64 b)
{
#if LANES_UPPER
    return __builtin_shufflevector((lanes32)a, (lanes32)b, 1, 3, 5, 7);
#else
    return __builtin_shufflevector((lanes32)a, (lanes32)b, 0, 2, 4, 6);
#endif
}

static inline lanes32 lanes_lower(lanes64 a, lanes64 b)
{
#if LANES_UPPER
    return __builtin_shufflevector((lanes32)a, (lanes32)b, 0, 2, 4, 6);
#else
    return __builtin_shufflevector((lanes32)a, (lanes32)b, 1, 3, 5, 7);
#endif
}

/* The first two of four and the last two, in 64 bits each. */
static inline lanes64 lanes_first(lanes32 x)
{
    const lanes32 zero = {0};

#if LANES_UPPER
    return (lanes64)__builtin_shufflevector(x, zero, 0, 4, 1, 5);
#else
    return (lanes64)__builtin_shufflevector(x, zero, 4, 0, 5, 1);
#endif
}

static inline lanes64 lanes_last(lanes32 x)
{
    const lanes32 zero = {0};

#if LANES_UPPER
    return (lanes64)__builtin_shufflevector(x, zero, 2, 6, 3, 7);
#else
    return (lanes64)__builtin_shufflevector(x, zero, 6, 2, 7, 3);
#endif
}

/* Whether bit 31 is set in one of them. */
static inline bool lanes_any_negative(lanes32 x)
{
#if defined __SSE2__ && !defined __clang__
    typedef float operand __attribute__((vector_size(16)));

    return __builtin_ia32_movmskps((operand)x) != 0;
#else
    return ((x[0] | x[1] | x[2] | x[3]) & 0x80000000u) != 0;
#endif
}
