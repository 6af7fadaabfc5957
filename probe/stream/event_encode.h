/* SPDX-License-Identifier: MIT */
/*
 * Events as frames: PACKED_EVENTS and EVENT_KEYS (probe/stream/wire.h).  This is the sender;
 * probe/stream/event_decode.h is the receiver, which also reads EVENTS, as senders before 0.9 sent them.
 *
 * A key is (class, argument).  Keys are those of a stable dictionary (probe/coding/dictionary.h), and EVENT_KEYS
 * defines the indexes.
 *
 * `codes` has the keys by the coder of probe/coding/column_pack.h, then the keys in full: class (one byte) and
 * argument (LEB128); then, where the events have times, the steps from each event to the next in units of the frame's
 * `unit` (probe/coding/column_pack.h).  They are steps of the time that the decoder has,
 * so that errors of rounding do not add up.
 *
 * Every frame can be decoded alone, in time and task: it begins with the time of its first
 * event and with the task that runs; each SWITCH and CONTINUE in it changes that.
 */
#pragma once

#include <stdint.h>

#include "probe/coding/column_pack.h"
#include "probe/coding/dictionary.h"
#include "probe/stream/wire.h"
#include "probe/trace/event_class.h"
#include "probe/trace/event_ring.h"

#define EVENT_FRAME_MAX STEP_FRAME_MAX /* events in one frame */

/* Most bytes of codes in a frame: the fields before them take at most 82. */
#define EVENT_CODES_MAX (WIRE_CODES_MAX - 82)

struct event_encoder_request {
    uint64_t epoch;
    uint64_t unit; /* clock units in a unit of the times, below 2^62; 0: no times are sent */
    /* Sends a finished frame; may wait.  Task context. */
    void (*send)(void *context, struct wire_writer *frame);
    void *context;
};

/* The dictionary and the unfinished frame; memory of the caller, 240 KB, without pointers to more. */
struct event_encoder {
    struct event_encoder_request request;
    struct dictionary keys;
    uint64_t number;         /* of the next event */
    uint64_t lost, lost_time; /* as event_encoder_lost() was told */
    uint64_t time;           /* of the last event, as the decoder has it */
    uint64_t task;           /* that runs after it */
    struct wire_packed_events head; /* the unfinished frame; head.count is 0 if there is none */
    uint16_t index[EVENT_FRAME_MAX]; /* of its keys; PACK_NO_INDEX: in full[] */
    uint32_t bits, fulls;            /* most bits of the indexes; bytes used in full[] */
    uint8_t full[EVENT_CODES_MAX];
    struct step_list steps;
    struct index_classes classes;
    uint8_t packed[EVENT_CODES_MAX + STEP_LIST_ROOM];
    struct wire_writer frame;
};

/* Begin an epoch, while this task (trace_task()) runs.  Task context, as all of the sender. */
void event_encoder_begin(struct event_encoder *s, const struct event_encoder_request *request, uint64_t task);

/* Take the next event.  Its `task` is not read: it follows from the events before. */
void event_encoder_put(struct event_encoder *s, const struct trace_event *e);

/* The next event has this number; those between were overwritten, and `task` runs before it.  Ends the frame. */
void event_encoder_skip_to(struct event_encoder *s, uint64_t number, uint64_t task);

/* So many events found no room so far, the first of them at `time`. */
void event_encoder_lost(struct event_encoder *s, uint64_t lost, uint64_t time);

/* Send the unfinished frame and all definitions; call it now and then, so that data arrive soon. */
void event_encoder_flush(struct event_encoder *s);

/* The epoch is over: send the rest, a frame without events for the last numbers, and every key once more. */
void event_encoder_end(struct event_encoder *s);

/* The counters of a buffer of events, as the record EVENT_COUNTS (docs/PROTOCOL.md). */

struct event_counts {
    struct wire_event_counts head; /* `epoch` is the caller's */
    uint64_t count[32];            /* events by class */
};

/* Read them at `now`; times are told from `start`, both clock units.  Interrupts off. */
void event_counts_read(struct event_counts *to, const struct event_ring *ring, uint64_t now, uint64_t start);

/* Write the frame; the classes without events have no row.  Task context. */
void event_counts_write(struct wire_writer *frame, const struct event_counts *counts);
