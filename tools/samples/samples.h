/* SPDX-License-Identifier: MIT */
/*
 * The raw samples of one epoch, decoded from its SAMPLES and PLACES frames in
 * any order and with any losses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"
#include "tools/samples/place_index.h"

/* One byte of a stream can produce one of these, so nothing is stored that can be computed. */
struct raw_sample {
    uint64_t time;       /* clock units since start; 0: not known */
    uint32_t place : 31; /* index into place[] */
    uint32_t pair : 1;   /* it forms a pair with sample number - 1 */
};

/* Samples whose numbers follow one another, up to the next run. */
struct sample_run {
    uint64_t first; /* number of the first one */
    size_t at;      /* where it is in sample[] */
};

struct samples { /* in the order of their ticks */
    struct sample_place *place; /* told indexes first, then places told in full, no two known
                                   ones equal */
    size_t places;
    struct raw_sample *sample;
    size_t count;
    struct sample_run *run; /* in order; the first one is at 0 */
    size_t runs;
    struct sample_setting setting; /* from HELLO: determines the ticks that are sampled, and their times */
    uint64_t replay;     /* what was left of the replay before the first frame */
    uint64_t told;       /* samples up to the last one that arrived or was reported as lost */
    uint64_t lost;       /* of these: no room in the ring, as the image reported */
    uint64_t unresolved; /* of `count`: the place is not known */
    uint64_t timeless;   /* samples without times: the replay for them would exceed its limit */
    uint64_t marks;      /* MASKED_SAMPLES frames that arrived */
    uint64_t marked;     /* samples of which is told whether interrupts were off */
    uint64_t damaged;    /* frames with invalid codes, steps or places, ignored */
    uint64_t duplicates; /* samples that arrived twice: taken once */
    uint64_t bytes;      /* of SAMPLES, PLACES and MASKED_SAMPLES frames on the line, zeros included */
    bool timed;          /* all of them have times */
    bool untimed;        /* a frame had none */
    struct place_index index; /* what the indexes of its frames mean */
    size_t held;         /* bytes of memory for indexes of places, which may exceed the size of the frames */
    void *decoder;       /* private to samples.c */
};

/*
 * Begin; `setting` from HELLO.  NULL if samples cannot be decoded with it: no policy, or thinned by
 * more than DECIMATE_MAX.  *replay bounds the ticks that are replayed for the times of thinned
 * samples, and is reduced by them; it must be valid up to the last frame.  NULL: no bound.
 * Without `keeps` the samples are not kept, and only what is told of all of them is known at the end.
 */
struct samples *samples_new(const struct sample_setting *setting, uint64_t *replay, bool keeps);
void samples_free(struct samples *s);

/* Take one frame of the epoch; `length` its bytes on the line. */
void samples_add_frame(struct samples *s, struct wire_reader *r, size_t length);

/* After the last frame: order, resolve and count.  Before this only `decoder` is valid. */
void samples_finish(struct samples *s);

/* The number of sample[i] among all samples, and the number of its tick, from 0.  After samples_finish(). */
uint64_t samples_number(const struct samples *s, size_t i);
uint64_t samples_tick(const struct samples *s, size_t i);

/*
 * Zero-order entropy in bits per sample: of the places, of (task, mode) alone, and of the time
 * steps of all frames (0 if not timed).  After samples_finish().
 */
struct samples_entropy {
    double places, cells, steps;
};
struct samples_entropy samples_entropy(const struct samples *s);
