/* SPDX-License-Identifier: MIT */
/*
 * What a machine did, in time order: its states (steps) and its events, taken one by one from a
 * recorded stream, whichever records tell them.  Memory does not grow with the length of the stream.
 *
 *     struct timeline *t = timeline_open("dump", &(struct timeline_request){.epoch = 0});
 *     struct timeline_item item;
 *
 *     while (t && timeline_next(t, &item))
 *         ...;
 *     timeline_close(t);
 *
 * Where a stream has events, steps come from these; else from the log of changes.  The classes that the
 * image recorded itself are given instead of both after timeline_read_classes().  A step is given when
 * it has ended: after the events within it, and before the event that ended it.
 *
 * Times are clock units since the image started, as in the other records (`clock_hz` of HELLO).
 * Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/class_decode.h"
#include "probe/stream/event_decode.h"
#include "probe/trace/machine_state.h"
#include "tools/base/hash_index.h"
#include "tools/model/stream_model.h"
#include "tools/samples/samples.h"
#include "tools/stream/frame_decoder.h"

/*
 * The state of the machine from one change to the next.  Each step begins where the one before
 * ended, but for gaps.
 */
struct timeline_step {
    int64_t begin;
    int64_t length;  /* clock units; below 0, by some instructions, where the account was ahead of the clock */
    uint32_t task;   /* row id */
    enum mode mode;
    bool monitor;    /* the tick's handler: no task, no mode */
    bool masked;     /* interrupts are off */
    unsigned nesting; /* interrupts that are being handled, one inside the other */
    int32_t call;    /* number of the system call or service that it executes, or CALL_NONE */
    uint64_t user;   /* argument of the task's last user event */
    unsigned known;  /* enum state_known */
};

/* Something that happened at one moment. */
struct timeline_event {
    int64_t time;
    uint64_t number;   /* in its source, from 0 */
    unsigned class;    /* enum trace_class; 0: its key did not arrive; a later version may send others */
    uint32_t task;     /* row id of the running task, before the event */
    uint32_t task_number; /* of the task among those of its row (trace_task()) */
    enum mode mode;    /* before the event */
    uint64_t argument; /* by class */
    unsigned known;
};

enum gap_cause {
    GAP_FRAMES,      /* frames did not arrive */
    GAP_OVERWRITTEN, /* later entries replaced them in the image's ring or log */
    GAP_NO_ROOM,     /* the image's ring was full */
    GAP_PAUSED,      /* recording was paused */
    GAP_CUT,         /* the stream ends before they came */
    GAP_BACKWARDS,   /* time went back: what follows does not belong behind what came before */
    GAP_UNKNOWN,     /* the image did not know the state that its tree asks for */
    GAP_CAUSES
};

/* Entries are missing from here on. */
struct timeline_gap {
    int64_t begin, end; /* begin == end where nothing tells how long it was */
    uint64_t missing;   /* entries of the source; 0: not known */
    enum gap_cause cause;
};

/* A stretch in one class of the tree that the image had (monitor=states). */
struct timeline_class {
    int64_t begin;
    int64_t length;     /* clock units; below 0, by some instructions, where the account was ahead of the clock */
    uint64_t attribute; /* row id, number of the call, or value of the user event; 0 where it has none */
    uint8_t code;       /* as class_letter() (probe/trace/class_tree.h) */
    bool attributed;    /* it has an attribute */
};

enum timeline_kind { TIMELINE_STEP, TIMELINE_EVENT, TIMELINE_GAP, TIMELINE_CLASS };

struct timeline_item {
    enum timeline_kind kind;
    union {
        struct timeline_step step;
        struct timeline_event event;
        struct timeline_gap gap;
        struct timeline_class class;
    };
};

/* When an item begins and ends; an event does both at once. */
int64_t timeline_item_begin(const struct timeline_item *item);
int64_t timeline_item_end(const struct timeline_item *item);

struct timeline_request {
    unsigned long epoch; /* 0: the last complete one, as for reports */
    bool follow; /* a stream that grows: it is read once, from the first epoch on, until that ends or a signal comes
                    (tools/base/interrupt.h); what comes late, as the meaning of numbers, is not known before */
    bool samples; /* the first reading reads raw samples too, and keeps what their places mean */
};

/* What has been given so far. */
struct timeline_counts {
    uint64_t steps, events;
    uint64_t gaps[GAP_CAUSES], missing[GAP_CAUSES];
    uint64_t late; /* entries that came again, or after later ones; they are left out */
    int64_t first_gap; /* when the first gap began */
};

struct timeline;

/*
 * Open a stream and find its epoch; "-": standard input.  What cannot be read twice is copied to a
 * temporary file first.  NULL, with a message, if there is nothing to tell.
 */
struct timeline *timeline_open(const char *path, const struct timeline_request *q);

/* The next item; false at the end. */
bool timeline_next(struct timeline *t, struct timeline_item *to);

/* Begin again with the first item; the counts too.  False, with a message, if the file cannot be read again. */
bool timeline_rewind(struct timeline *t);

/* Whether the image recorded classes of states; the tree is classes= of the epoch's words. */
bool timeline_has_classes(const struct timeline *t);

/* From here on give these, with gaps, or else steps and events; begin with the first.  False as timeline_rewind(). */
bool timeline_read_classes(struct timeline *t, bool classes);

/* Read the records of the epoch again, whatever they are; timeline_rewind() before the next item. */
void timeline_records(struct timeline *t, void take(void *context, const struct stream_event *event), void *context);

void timeline_close(struct timeline *t);

/* The epoch with its names (epoch_name_of()); its bulk records, of samples and states, are not kept. */
const struct epoch *timeline_epoch(const struct timeline *t);
const struct timeline_counts *timeline_counts(const struct timeline *t);

/* Whether every reading came to the end of the file; else a message was printed. */
bool timeline_read_well(const struct timeline *t);

/* For report_verdict(). */
const struct frame_decoder *timeline_stream(const struct timeline *t);
const struct model *timeline_model(const struct timeline *t);

/* "frames did not arrive" and so on. */
const char *gap_cause_text(enum gap_cause cause);

/* Declares what a timeline's items are made from: events, steps and classes of the records of one kind each. */

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

/*
 * One epoch of a stream, given piece by piece to a sink: what exports and pages are made from.  Memory does not grow
 * with the length of the stream.
 *
 *     struct epoch_pass *p = epoch_pass_open(path, 0);
 *
 *     if (!p)
 *         return EXIT_NO_DATA;
 *     epoch_pass_run(p, &(struct epoch_sink){.context = &mine, .on_sample = put_sample});
 *     code = report_verdict(path, epoch_pass_stream(p), epoch_pass_model(p), epoch_pass_epoch(p));
 *     epoch_pass_close(p);
 *
 * The stream is read a first time by epoch_pass_open(): everything but samples, states and events is known from there
 * on, as names, words, programs and the last snapshot.  What cannot be read twice is copied to a temporary file
 * first.  Host only.
 */

/* Numbers of samples that did not arrive: lost by the image, or on the line. */
struct sample_gap {
    uint64_t first, count; /* count above 0 */
};

/* What is wanted; NULL: not that.  Pointers are valid during the call. */
struct epoch_sink {
    void *context;
    void (*on_epoch)(void *context, const struct epoch *e); /* first */
    /* Samples in the order of their ticks, with the gaps between them; snapshots in the order of arrival. */
    void (*on_sample)(void *context, const struct resolved_sample *s);
    void (*on_lost)(void *context, const struct sample_gap *gap); /* before the sample that follows it */
    void (*on_snapshot)(void *context, const struct wire_snapshot *head); /* whole or not */
    void (*on_change)(void *context, const struct transition *t); /* of account=log, by number, each once */
    /* After these, in time order: steps, events and gaps; then classes of states, where the image recorded them. */
    void (*on_item)(void *context, const struct timeline_item *item);
    void (*on_end)(void *context); /* last */
    bool second; /* samples and snapshots of the epoch's second source instead, which it has */
};

struct epoch_pass;

/*
 * Open the stream at `path` ("-": standard input) and find its epoch: 0 for the last complete one, as for reports.
 * NULL, with a message, if there is none.
 */
struct epoch_pass *epoch_pass_open(const char *path, unsigned long epoch);

/* Give the epoch to a sink; it may be called again.  False, with a message, if the file cannot be read again. */
bool epoch_pass_run(struct epoch_pass *p, const struct epoch_sink *sink);
void epoch_pass_close(struct epoch_pass *p);

/* For report_verdict(); with epoch_name_of() the epoch names tasks.  `e->samples` is NULL where it has no samples. */
struct epoch *epoch_pass_epoch(const struct epoch_pass *p);
const struct model *epoch_pass_model(const struct epoch_pass *p);
const struct frame_decoder *epoch_pass_stream(const struct epoch_pass *p);

/* Whether every reading came to the end of the file; else a message was printed. */
bool epoch_pass_read_well(const struct epoch_pass *p);

/*
 * The samples, gaps, snapshots and changes alone, from a timeline that is open; `e` is what a first reading of the
 * same records made of them.  timeline_rewind() before the next item.
 */
void epoch_sink_records(struct timeline *t, const struct epoch *e, const struct epoch_sink *sink);
