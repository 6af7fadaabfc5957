/* SPDX-License-Identifier: MIT */
/* Steps from TRANSITIONS (account=log), row by row (docs/PROTOCOL.md, "Transitions"). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/timeline/timeline.h"

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
