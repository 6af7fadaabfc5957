/* SPDX-License-Identifier: MIT */
/*
 * Gives what a machine did, in time order: its states (steps) and its events, taken one by one from a
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
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/trace/machine_state.h"
#include "tools/model/stream_model.h"
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

/* When the items of the stream begin and end; begin > end: there are none.  It is at its end then. */
void timeline_limits(struct timeline *t, int64_t *begin, int64_t *end);

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
