/* SPDX-License-Identifier: MIT */
/* Times as steps of a unit. */
#include "probe/coding/unit_steps.h"

#include "probe/schedule/divide64.h"

int64_t unit_steps(int64_t difference, uint64_t unit)
{
    uint64_t size = difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
    int64_t step = (int64_t)divide64(size + unit / 2, unit);

    return difference < 0 ? -step : step;
}
