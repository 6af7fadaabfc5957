/* SPDX-License-Identifier: MIT */
/* Sums of numbers from files, which stop at the largest number and do not wrap; and percentages. */
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

/* 100 part / whole; `otherwise`, or NaN, where the whole is not above 0. */
static inline double percent_or(double part, double whole, double otherwise)
{
    return whole > 0.0 ? 100.0 * part / whole : otherwise;
}

static inline double percent_of(double part, double whole)
{
    return percent_or(part, whole, NAN);
}

/* The nearest whole number; 0 for no number. */
static inline int64_t saturate_round(double value)
{
    return value >= 9.2e18 ? INT64_MAX : value <= -9.2e18 ? INT64_MIN : value == value ? (int64_t)round(value) : 0;
}
