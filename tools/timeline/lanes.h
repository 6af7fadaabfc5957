/* SPDX-License-Identifier: MIT */
/* Makes a timeline's events, classes and steps out of records, each kind of record frame by frame. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/class_decode.h"
#include "probe/stream/event_decode.h"
#include "probe/trace/machine_state.h"
#include "tools/base/hash_index.h"
#include "tools/model/stream_model.h"
#include "tools/timeline/timeline.h"

/* How far the account may be ahead of the clock, clock units: by some instructions, not by a millisecond. */
static inline int64_t timeline_back_most(const struct epoch *e)
{
    return (int64_t)(e->hello.clock_hz / 1000);
}

/* Events and gaps from PACKED_EVENTS and EVENTS (monitor=events), frame by frame (probe/stream/event_encode.h). */
struct event_lane {
    const struct epoch *epoch;
    struct event_batch batch;
    uint32_t at;        /* next event of the batch */
    bool entered;       /* what comes before the batch has been told */
    uint64_t expected;  /* number of the event after the last that was given or told missing */
    int64_t time;       /* of the last event; of the first of the batch before there is one */
    uint64_t task;      /* trace_task() of the running one */
    bool running;       /* it is known */
    bool any;           /* a frame came */
    bool started;       /* an event was given */
    bool pending;       /* a gap has begun: its end is the next event */
    struct timeline_gap gap;
    uint64_t told_lost; /* events that were told to have found no room */
    int64_t back_most;  /* how far the clock may go back, clock units */
    bool ended;        /* no frame follows: what that tells is given too; the caller sets it */
    uint64_t late;      /* events that came again, or after later ones */
};

void event_lane_begin(struct event_lane *l, const struct epoch *e);

/* Read the events of this frame next.  One that is inconsistent is left out: its numbers are missing. */
void event_lane_frame(struct event_lane *l, const struct wire_reader *frame);

/* The next event or gap; false: the frame holds no more. */
bool event_lane_next(struct event_lane *l, struct timeline_item *to);

/*
 * The state of the machine from its events: each event that changes it ends a step.  What a step
 * knows depends on the classes that were recorded.
 */
struct event_steps {
    struct machine_state now;
    int64_t begin;        /* of this state */
    bool open;            /* it has begun */
    bool time_known;      /* `begin` is a time since start */
    uint32_t classes;     /* that were recorded, as far as is known */
    unsigned told;        /* enum state_known: what these tell */
    struct index task_of; /* indexes in own[] by trace_task() */
    struct machine_task *own;
    size_t tasks;
};

void event_steps_begin(struct event_steps *s, const struct epoch *e);
void event_steps_free(struct event_steps *s);

/* Take the next event; sets what it does not know itself, the mode.  True: *ended is the step that it ends. */
bool event_steps_take(struct event_steps *s, struct timeline_event *e, struct timeline_step *ended);

/* Nothing is known after a gap, which begins at `time`.  True: as before. */
bool event_steps_gap(struct event_steps *s, int64_t time, struct timeline_step *ended);

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
