/* SPDX-License-Identifier: MIT */
/*
 * a * b / c with a product of 128 bits, by MUL and DIV, because no libgcc is linked.  The quotient must fit 64
 * bits, or the CPU raises #DE.  Task context only: a division takes long.
 */
#pragma once

#include <stdint.h>

static inline uint64_t mul_div64(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t high, low;

    __asm__("mulq %3\n\tdivq %4"
            : "=&a"(low), "=&d"(high)
            : "0"(a), "rm"(b), "rm"(c)
            : "cc");
    return low;
}
