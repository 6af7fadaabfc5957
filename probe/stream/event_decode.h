/* SPDX-License-Identifier: MIT */
/*
 * The receiver for probe/stream/event_encode.h: decodes one frame, PACKED_EVENTS or EVENTS, into a batch of
 * events.  A frame needs no other frames, except EVENT_KEYS for the meaning of its indexes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/event_encode.h"

/* Event numbers and times are below these bounds, which no run reaches. */
#define EVENT_NUMBER_MAX ((uint64_t)1 << 48)
#define EVENT_TIME_MAX   ((uint64_t)1 << 62)

/* Whether a frame of this type has events. */
static inline bool event_is_frame(unsigned type)
{
    return type == WIRE_PACKED_EVENTS || type == WIRE_EVENTS;
}

/* An event as it was sent: what its index means may not be known yet. */
struct event_sent {
    uint64_t time;      /* clock units since start; 0 where the frame has no times */
    uint64_t argument;  /* of an event in full */
    uint32_t index;     /* DICTIONARY_NONE: in full */
    uint8_t class;      /* likewise; enum trace_class, or a number that this version does not know */
};

/* The events of one frame, in order; memory of the caller, 24 KB. */
struct event_batch {
    uint64_t first;  /* number of the first, below EVENT_NUMBER_MAX */
    uint64_t lost, lost_time; /* so far, for want of room in the buffer; the time of the first, 0: none */
    uint64_t unit;   /* clock units in a unit of the times; 0: they have none */
    uint64_t task;   /* trace_task() of the task that runs before the first */
    uint32_t count;  /* at most EVENT_FRAME_MAX; 0: `first` is the number of all events */
    struct event_sent event[EVENT_FRAME_MAX];
};

/*
 * Decode the frame that `r` opened.  False if it is inconsistent; the batch is then empty.  Any
 * context; reads nothing past the frame.
 */
bool event_decode(struct event_batch *b, struct wire_reader *r);

/* What an index means, from a row of EVENT_KEYS; false if the row is not valid. */
struct event_key {
    uint64_t argument;
    uint8_t class;
};
bool event_read_key(const struct wire_event_keys_row *row, struct event_key *key);
