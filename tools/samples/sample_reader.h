/* SPDX-License-Identifier: MIT */
/*
 * Gives the raw samples of one epoch, one by one, when the meaning of their places is known: a second reading of
 * its frames, in bounded memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/samples/place_index.h"
#include "tools/samples/samples.h"

/* A sample, resolved. */
struct resolved_sample {
    uint64_t number; /* among all samples, from 0 */
    uint64_t tick;   /* number of its tick, from 0 */
    uint64_t time;   /* clock units since start; 0: not known */
    struct sample_place place;
    bool pair;       /* the schedule makes it a pair with sample number - 1 */
    /*
     * sample number - 1 was given just before it; else some before it did not arrive, were dropped,
     * or it is the first
     */
    bool follows;
    bool dropped;    /* no sample: its point fell into a handler of a tick */
};

typedef void sample_taker(void *context, const struct resolved_sample *s);

struct sample_reader;

/*
 * `known` is what a first reading made of the same frames, after samples_finish(); it must outlive the reader.
 * `take` gets each sample once, and each point that is none, in the order of their numbers.  Never NULL.
 */
struct sample_reader *sample_reader_new(const struct samples *known, sample_taker *take, void *context);

/* Take a SAMPLES or MASKED_SAMPLES frame; others change nothing. */
void sample_reader_frame(struct sample_reader *s, struct wire_reader frame);

/* No frame follows: the last samples are given. */
void sample_reader_end(struct sample_reader *s);
void sample_reader_free(struct sample_reader *s);
