/* SPDX-License-Identifier: MIT */
/* Makes a timeline's classes and steps out of records of states. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/class_decode.h"
#include "tools/model/stream_model.h"
#include "tools/timeline/timeline.h"

/* Classes and gaps from STATES (monitor=states), frame by frame (probe/stream/class_encode.h). */
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

/* Steps from TRANSITIONS (account=log), row by row (docs/PROTOCOL.md, "Transitions"). */
struct transition_steps {
    const struct transitions *meaning; /* what LOGGED told; NULL: it did not arrive, and nothing else of the log */
    struct wire_reader rows;  /* of the frame that is being read */
    uint64_t number;          /* of the row that `row` holds, or that comes next */
    struct wire_transitions_row row;
    bool held;                /* `row` has not been given yet */
    uint64_t expected;        /* number of the change after the last one that was given or told missing */
    int64_t time;             /* where that one begins */
    int64_t back_most;        /* how far the account can be ahead of the clock, clock units */
    bool time_known;
    bool any;                 /* a frame came */
    bool ended;              /* no frame follows: what that tells is given too; the caller sets it */
    uint64_t late;            /* rows that came again, or after later ones */
};

void transition_steps_begin(struct transition_steps *s, const struct epoch *e);

/* Read the rows of this frame next; its bytes stay valid until transition_steps_next() is false. */
void transition_steps_frame(struct transition_steps *s, const struct wire_reader *frame);

/* The next step or gap; false: the frame holds no more. */
bool transition_steps_next(struct transition_steps *s, struct timeline_item *to);
