/* SPDX-License-Identifier: MIT */
/* Steps as numbers, or by the index of one that came before. */
#include "probe/coding/step_unpack.h"

#include "probe/coding/index_unpack.h"

_Static_assert(STEP_FRAME_MAX <= INDEX_FRAME_MAX && STEP_FRAME_MAX % 2 == 0,
               "a frame's steps are one list, and have room for it");

static bool get_step(struct leb128_bytes *codes, int64_t *step)
{
    uint64_t number, back;

    if (!leb128_get(codes, &number))
        return false;
    if (number != 0) {
        *step = (int64_t)(number - 1);
        return number <= STEP_END;
    }
    if (!leb128_get(codes, &back))
        return false;
    *step = -(int64_t)back;
    return back != 0 && back < STEP_END;
}

static bool get_numbers(int64_t *step, uint32_t count, struct leb128_bytes *codes)
{
    for (uint32_t i = 0; i < count; i++)
        if (!get_step(codes, &step[i]))
            return false;
    return true;
}

/* A step that comes again is as the first one with its index, which comes before it. */
static bool get_indexed(int64_t *step, uint32_t count, struct leb128_bytes *codes)
{
    uint16_t index[STEP_FRAME_MAX], first[STEP_FRAME_MAX];
    struct index_list list = {.index = index, .count = count};
    uint32_t given = 0;

    if (count == 0 || !index_unpack(&list, codes) || list.form != 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] < given) {
            step[i] = step[first[index[i]]];
            continue;
        }
        if (index[i] < DICTIONARY_MAX || !index_is_full(&list, i) || !get_step(codes, &step[i]))
            return false;
        first[given++] = (uint16_t)i;
    }
    return true;
}

bool step_list_read(int64_t *step, uint32_t count, uint8_t form, struct leb128_bytes *codes)
{
    return form == STEP_INDEXES ? get_indexed(step, count, codes)
                                : form == STEP_NUMBERS && get_numbers(step, count, codes);
}
