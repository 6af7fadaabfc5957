/* SPDX-License-Identifier: MIT */
/* The receiver's half of probe/coding/step_pack.h.  The bytes may be anything: nothing is read past them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/leb128.h"
#include "probe/coding/step_pack.h"

/* steps are shorter, forwards or back; and times, in clock units, are below it */
#define STEP_END ((uint64_t)1 << 62)

/* Move a time by a step of this unit.  False if that, or the product, leaves 0 to STEP_END.  Any context. */
static inline bool step_add(uint64_t *time, int64_t step, uint64_t unit)
{
    int64_t moved;

    if (__builtin_mul_overflow(step, (int64_t)unit, &moved) ||
        __builtin_add_overflow((int64_t)*time, moved, &moved) || moved < 0 || moved >= (int64_t)STEP_END)
        return false;
    *time = (uint64_t)moved;
    return true;
}

/* Read `count` steps, at most STEP_FRAME_MAX, in this form.  False if no sender makes such codes.  Any context. */
bool step_list_read(int64_t *step, uint32_t count, uint8_t form, struct leb128_bytes *codes);
