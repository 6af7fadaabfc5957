/* SPDX-License-Identifier: MIT */
/*
 * The receiver for probe/stream/class_encode.h: decodes one STATES frame into a batch of runs.  A frame
 * needs no other frames.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/class_encode.h"

/* Run numbers and times are below these bounds, which no run of the image reaches. */
#define CLASS_NUMBER_END ((uint64_t)1 << 48)
#define CLASS_TIME_END   ((uint64_t)1 << 62)

/* Whether a frame of this type has runs. */
static inline bool class_is_frame(unsigned type)
{
    return type == WIRE_PACKED_STATES || type == WIRE_STATES;
}

/* The runs of one frame, in order; memory of the caller, 32 KB. */
struct class_batch {
    uint64_t first;           /* number of the first, below CLASS_NUMBER_END */
    uint64_t lost, lost_time; /* events so far that found no room; the time of the first, 0: none */
    uint64_t unit;            /* clock units in a unit of the lengths */
    uint64_t time;            /* of the first run's begin; without runs the end of the epoch */
    uint32_t count;           /* at most CLASS_FRAME_MAX; 0: `first` is the number of all runs */
    struct class_stretch run[CLASS_FRAME_MAX];
};

/*
 * Decode the frame that `r` opened.  False if it is inconsistent; the batch is then empty.  Any context;
 * reads nothing past the frame.
 */
bool class_decode(struct class_batch *b, struct wire_reader *r);
