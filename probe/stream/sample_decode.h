/* SPDX-License-Identifier: MIT */
/*
 * The receiver for probe/stream/sample_encode.h: decodes one frame, PACKED_SAMPLES or SAMPLES, into a
 * batch of samples.  A frame needs no other frames, except PACKED_PLACES or PLACES for the meaning of
 * its indexes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/place_rows.h"
#include "probe/stream/sample_encode.h"

/* Sample numbers are below this bound, which no run reaches. */
#define SAMPLE_NUMBER_MAX ((uint64_t)1 << 48)

/* The samples of one frame, in order; memory of the caller, 28 KB. */
struct sample_batch {
    uint64_t first; /* number of the first, below SAMPLE_NUMBER_MAX */
    uint64_t lost;  /* samples before it that found no room in the ring, at most `first` */
    uint32_t count; /* at most SAMPLE_FRAME_MAX; 0: `first` is the number of all samples */
    uint32_t fulls; /* used elements of full[] */
    bool timed;
    bool too_costly;      /* the frame has times, but computing them would exceed `budget` */
    uint64_t budget; /* set by the caller: ticks that may still be replayed one by one */
    uint16_t place[SAMPLE_FRAME_MAX]; /* index, or SAMPLE_PLACES_MAX + position in full[] */
    uint64_t time[SAMPLE_FRAME_MAX];  /* clock units since start, if timed */
    bool pair[SAMPLE_FRAME_MAX];      /* the sample makes a pair with the one before */
    struct sample_location full[SAMPLE_FRAME_MAX];
    /* samples whose arrival was measured against their point; of these, clock units after it: */
    uint64_t arrivals;
    /* the earliest, the latest, that of the one which sample_draw() of its number draws */
    int64_t earliest, latest, arrived;
    struct wire_text steps; /* as received; points into the frame */
    bool runs;              /* the steps are runs, else two bits each */
};

/*
 * Decode the frame that `r` opened.  False if codes, steps, count or the schedule's
 * state are inconsistent; the batch is then empty.  setting->thin is at most
 * DECIMATE_MAX.  A frame of a decimated stream has a few hundred bytes but may need
 * two million replayed ticks.  These are subtracted from b->budget; if it is too small,
 * the samples are decoded without their times.  Task or host context: it uses vector
 * registers.  Reads nothing past the frame.
 */
bool sample_decode(struct sample_batch *b, const struct sample_setting *setting,
                   struct wire_reader *r);

/*
 * The steps of a timed batch, in units, as they were sent.  step[] has SAMPLE_FRAME_MAX
 * elements; the step of the first sample is 0.  Call it while the frame is valid.
 */
void sample_steps(const struct sample_batch *b, int64_t *step);

/* The definitions of one frame, PACKED_PLACES or PLACES. */
struct sample_places {
    struct wire_reader r;
    struct place_rows rows;
    bool damaged; /* a row was not valid */
};

/* Open a frame of places; false if its head is cut short.  Any context. */
bool sample_places_open(struct sample_places *p, struct wire_reader frame);

/* The next definition; false at the end, and after the first row that is cut short or is not valid. */
bool sample_places_next(struct sample_places *p, uint32_t *index, struct sample_location *where);

/* After the last one: whether all rows were whole and valid. */
bool sample_places_whole(const struct sample_places *p);
