/* SPDX-License-Identifier: MIT */
/*
 * The unit of work is one turn of this loop: two instructions, the same at each ring.
 * kernel/source/calibrate.c measures how long it takes.  Always inline: samples name the function whose work it is.
 * Any context.
 */
#pragma once

#include <stdint.h>

static inline __attribute__((always_inline)) void spin(uint64_t units)
{
    if (units != 0)
        __asm__ volatile("1:\tdec %0\n\tjnz 1b" : "+r"(units) : : "cc");
}
