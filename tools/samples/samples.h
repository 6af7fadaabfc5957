/* SPDX-License-Identifier: MIT */
/*
 * Keeps what the SAMPLES, PLACES and MASKED_SAMPLES frames of one epoch tell in all, in any order and with any
 * losses.  The samples are not kept: a sample_reader gives them in a second reading.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"
#include "tools/samples/entropy.h"
#include "tools/samples/place_index.h"
#include "tools/samples/sample_sums.h"

/* How much is made of them. */
enum samples_depth {
    SAMPLES_SUMMED,  /* all members but `steps` */
    SAMPLES_COUNTED, /* without `sums`, too */
    SAMPLES_STEPS,   /* all */
};

struct samples {
    struct sample_setting setting; /* from HELLO: determines the ticks that are sampled, and their times */
    struct place_index index; /* what the indexes of its frames mean */
    uint64_t count;      /* that arrived, each once */
    uint64_t told;       /* samples up to the last one that arrived or was reported as lost */
    uint64_t lost;       /* of these: no room in the ring, as the image reported */
    /* points that fell into handlers of ticks, in neither `count` nor `told`; 0 if sums were not asked for */
    uint64_t in_handler;
    uint64_t arrivals;   /* samples whose arrival was measured against their point; of these, clock units after it: */
    int64_t earliest, latest;
    uint64_t odd_arrivals; /* frames whose arrivals contradict each other */
    uint64_t first;      /* number of the first one in order */
    uint64_t timeless;   /* samples without times: the replay for them would exceed its limit */
    uint64_t marks;      /* MASKED_SAMPLES frames that arrived */
    uint64_t marked;     /* samples of which is told whether interrupts were off */
    uint64_t damaged;    /* frames with invalid codes, steps or places, ignored */
    uint64_t duplicates; /* samples that arrived twice: taken once */
    uint64_t late;       /* samples that arrived too late to be put in order: not taken */
    uint64_t bytes;      /* of these frames on the line, zeros included */
    uint64_t replay;     /* what was left of the replay before the first frame */
    uint64_t first_time, last_time; /* of the samples in order; 0: not known */
    bool timed;          /* all that arrived have times */
    uint64_t held;       /* bytes of memory that stay until the end of the epoch */
    struct sample_sums *sums; /* NULL: not asked for */
    struct step_tally *steps; /* of all frames with times; NULL: none, or not asked for */
    void *decoder;       /* private to samples.c; NULL after samples_finish() */
};

/*
 * Ticks of thinned samples that are replayed for a stream, 5 to 12 ns each by policy and
 * generator: 7 hours at 10 kHz.  Without a bound 1 MB asks for 3 * 10^9 of them, half a minute.
 */
#define SAMPLES_REPLAY ((uint64_t)1 << 28)

/*
 * Begin; `setting` from HELLO.  NULL if samples cannot be decoded with it: no policy, or thinned by
 * more than DECIMATE_MAX.  *replayed counts the ticks that are replayed for the times of thinned
 * samples, SAMPLES_REPLAY at most; it must be valid up to the last frame.  NULL: no bound.
 */
struct samples *samples_new(const struct sample_setting *setting, uint64_t *replayed, enum samples_depth depth);
void samples_free(struct samples *s);

/* Each frame of samples is followed by one that tells which of them found interrupts off; before the first frame. */
void samples_expect_marks(struct samples *s);

/* Take one frame of the epoch; `length` its bytes on the line. */
void samples_add_frame(struct samples *s, struct wire_reader *r, size_t length);

/* After the last frame.  Before this the members tell of a part of the frames, and `sums` is not valid. */
void samples_finish(struct samples *s);

/*
 * After samples_finish(), of a stream whose begin was cut off:
 * the samples before the first that arrived are nobody's loss.
 */
void samples_begin_at_first(struct samples *s);

/* Samples whose place is not known; 0 if sums were not asked for. */
static inline uint64_t samples_unresolved(const struct samples *s)
{
    return s->sums ? s->sums->unresolved : 0;
}

/*
 * Zero-order entropy in bits per sample: of the places, of (task, mode) alone, and of the time
 * steps of all frames (0 if not timed).  After samples_finish(), of SAMPLES_STEPS.
 */
struct samples_entropy {
    double places, cells, steps;
};
struct samples_entropy samples_entropy(const struct samples *s);
