/* SPDX-License-Identifier: MIT */
/* One frame after the other; the stack grows down, so the caller's frame is at a higher address. */
#include "probe/core/frame_walk.h"

#define WORD 8u

static bool is_frame(const struct frame_walk *w, uint64_t fp, uint64_t low)
{
    return fp % WORD == 0 && fp >= low && fp < w->high - WORD;
}

enum walk_end frame_walk(const struct frame_walk *w, uint64_t *pc, unsigned most, unsigned *found)
{
    uint64_t fp = w->fp, low = w->low, above, back;

    for (*found = 0; fp != 0; fp = above, pc[(*found)++] = back) {
        if (!is_frame(w, fp, low))
            return WALK_BROKEN;
        if (!w->read(w->context, fp, &above) || !w->read(w->context, fp + WORD, &back))
            return WALK_ABSENT;
        if (back == 0)
            return WALK_WHOLE;
        if (back >= w->high)
            return WALK_BROKEN;
        if (*found == most)
            return WALK_CUT;
        low = fp + WORD;
    }
    return WALK_WHOLE;
}
