/* SPDX-License-Identifier: MIT */
/* The receiver's half of probe/coding/column_pack.h.  The bytes may be anything: nothing is read past them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/column_pack.h"
#include "probe/coding/leb128.h"

#define INDEX_FRAME_MAX 1024u /* indexes in one list */

struct index_list {
    uint16_t *index;     /* to fill: room for `count`, and one more where that is odd */
    uint32_t count;      /* 1 to INDEX_FRAME_MAX; set by the caller, as `index` */
    uint32_t all;        /* the bitwise or of all that were read: below DICTIONARY_MAX if each one is an index */
    const uint8_t *each; /* two classes in a byte */
    uint8_t form;        /* the caller's byte */
};

/*
 * Fill index[] from the front of `codes`; what has no index is at least DICTIONARY_MAX.  False if no sender makes
 * such codes, but for the caller's byte and for what is in full or out of range, which the caller looks at.
 * Any context.
 */
bool index_unpack(struct index_list *list, struct leb128_bytes *codes);

/* Whether the number i of them stands in full; else, where it is no index, no sender makes such codes. */
static inline bool index_is_full(const struct index_list *list, uint32_t i)
{
    return (list->each[i / 2] >> 4 * (i % 2) & 15) == PACK_FULL;
}

/* Steps of time. */

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
