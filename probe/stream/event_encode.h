/* SPDX-License-Identifier: MIT */
/*
 * Events as frames: EVENTS and EVENT_KEYS (probe/stream/wire.h).  This is the sender;
 * probe/stream/event_decode.h is the receiver.
 *
 * A key is (class, argument).  Keys are those of a stable dictionary
 * (probe/stream/dictionary.h), and EVENT_KEYS defines the indexes.
 *
 * `codes` has for each event:  0xfe, only where its time is before that of the last one;  the
 * bytes of its index, or 0xff, class (one byte) and argument (LEB128);  where the events have
 * times, the difference to the time of the event before as LEB128, in units of the frame's
 * `unit`; that of the first is 0.  Differences are to the time that the decoder has, so that
 * errors of rounding do not add up.
 *
 * Every frame can be decoded alone, in time and task: it begins with the time of its first
 * event and with the task that runs; each SWITCH and CONTINUE in it changes that.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/dictionary.h"
#include "probe/stream/wire.h"
#include "probe/trace/event_class.h"

#define EVENT_FRAME_MAX 1024u /* events in one EVENTS frame */
#define EVENT_BACK      0xfe  /* the time goes back; the code of the event follows */

/* Most bytes of codes in a frame: the fields before them take at most 82. */
#define EVENT_CODES_MAX (WIRE_CODES_MAX - 82)

struct event_encoder_request {
    uint64_t epoch;
    uint64_t unit; /* clock units in a unit of the times, below 2^62; 0: no times are sent */
    /* Sends a finished frame; may wait.  Task context. */
    void (*send)(void *context, struct wire_writer *frame);
    void *context;
};

/* The dictionary and the unfinished frame; memory of the caller, 184 KB, without pointers to more. */
struct event_encoder {
    struct event_encoder_request request;
    struct dictionary keys;
    uint64_t number;         /* of the next event */
    uint64_t lost, lost_time; /* as event_encoder_lost() was told */
    uint64_t time;           /* of the last event, as the decoder has it */
    uint64_t task;           /* that runs after it */
    struct wire_events head; /* the unfinished frame; head.count is 0 if there is none */
    uint32_t codes;          /* bytes used in code[] */
    uint8_t code[EVENT_CODES_MAX];
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
