/* SPDX-License-Identifier: MIT */
/*
 * The other end of probe/stream/sample_encode.h: one SAMPLES frame becomes a batch of
 * samples.  It stands for itself: nothing of other frames is needed, but what
 * the indexes mean.
 */
#ifndef PROBE_STREAM_SAMPLE_DECODE_H
#define PROBE_STREAM_SAMPLE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/sample_encode.h"

/* Numbers of samples are below this: more than any run has. */
#define SAMPLE_NUMBER_MAX ((uint64_t)1 << 48)

/* The samples of one frame, in order; 14 KB, the caller's memory. */
struct sample_batch {
    uint64_t first; /* number of the first, below SAMPLE_NUMBER_MAX */
    uint64_t lost;  /* samples before it that found no room, at most `first` */
    uint32_t count; /* at most SAMPLE_FRAME_MAX; 0: `first` is how many there are in all */
    uint32_t fulls; /* of full[] */
    bool timed;
    bool too_costly;      /* it was timed: to know its times would have taken more than `budget` */
    uint64_t budget; /* the caller's: ticks that may be replayed one by one, less those that were */
    uint16_t place[SAMPLE_FRAME_MAX]; /* its index, or SAMPLE_PLACES_MAX + which of full[] */
    uint64_t time[SAMPLE_FRAME_MAX];  /* clock units since start, where timed */
    bool pair[SAMPLE_FRAME_MAX];      /* it makes a pair with the sample before */
    struct sample_location full[SAMPLE_FRAME_MAX];
    struct wire_text steps; /* as they are told; in the frame, and valid as long */
};

/*
 * Decode the frame that `r` opened.  False where codes, steps, count or the
 * schedule's state do not add up; the batch then holds nothing.  setting->thin
 * is at most DECIMATE_MAX.  A frame of a thinned stream has a few hundred bytes and
 * may ask for two million ticks to be replayed: those take from b->budget, and
 * where it does not suffice the samples are there without their times.  Any
 * context; reads nothing past the frame.
 */
bool sample_decode(struct sample_batch *b, const struct sample_setting *setting,
                   struct wire_reader *r);

/*
 * The steps of a batch that is timed, in units: what was told of its times.  step[]
 * has SAMPLE_FRAME_MAX elements; the first sample has none, 0.  While the frame is valid.
 */
void sample_steps(const struct sample_batch *b, int64_t *step);

/* Whether a row of PLACES can be: into `where` what its index means. */
bool sample_read_place(const struct wire_places_row *row, struct sample_location *where);

#endif
