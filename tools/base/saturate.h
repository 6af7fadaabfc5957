/* SPDX-License-Identifier: MIT */
/* Sums of numbers from files: they stop at the largest number, they do not wrap. */
#pragma once

#include <math.h>
#include <stdint.h>

static inline int64_t saturate_add(int64_t a, int64_t b)
{
    int64_t sum;

    return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t saturate_signed(unsigned __int128 n)
{
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* The nearest whole number; 0 for no number. */
static inline int64_t saturate_round(double value)
{
    return value >= 9.2e18 ? INT64_MAX : value <= -9.2e18 ? INT64_MIN : value == value ? (int64_t)round(value) : 0;
}
