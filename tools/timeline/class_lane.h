/* SPDX-License-Identifier: MIT */
/* Classes and gaps from STATES (monitor=states), frame by frame (probe/stream/class_encode.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/class_decode.h"
#include "tools/timeline/timeline.h"

struct class_lane {
    const struct epoch *epoch;
    struct class_batch batch;
    uint32_t at;        /* next run of the batch */
    bool entered;       /* what comes before the batch has been told */
    uint64_t expected;  /* number of the run after the last that was given or told missing */
    int64_t time;       /* where that one ended */
    int64_t back_most;  /* how far a run may go back, clock units */
    bool any;           /* a frame came */
    bool ended;        /* no frame follows: what that tells is given too; the caller sets it */
    uint64_t late;      /* runs that came again, or after later ones */
};

void class_lane_begin(struct class_lane *l, const struct epoch *e);

/* Read the runs of this frame next.  One that is inconsistent is left out: its numbers are missing. */
void class_lane_frame(struct class_lane *l, const struct wire_reader *frame);

/* The next run or gap; false: the frame holds no more. */
bool class_lane_next(struct class_lane *l, struct timeline_item *to);
