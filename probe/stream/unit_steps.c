/* SPDX-License-Identifier: MIT */
/* Times as steps of a unit. */
#include "probe/stream/unit_steps.h"

/* Divide by shifting, because 32-bit targets have no 64-bit division; d is below 2^63. */
static uint64_t divide(uint64_t n, uint64_t d)
{
    uint64_t quotient = 0, rest = 0;

    if (n <= UINT32_MAX && d <= UINT32_MAX)
        return (uint32_t)n / (uint32_t)d;
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (n >> bit & 1);
        if (rest >= d) {
            rest -= d;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return quotient;
}

int64_t unit_steps(int64_t difference, uint64_t unit)
{
    uint64_t size = difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
    int64_t step = (int64_t)divide(size + unit / 2, unit);

    return difference < 0 ? -step : step;
}
