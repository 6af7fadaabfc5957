/* SPDX-License-Identifier: MIT */
/*
 * Puts the samples of one epoch into the order of their numbers, each once, in bounded memory.  A frame that follows
 * what was given is given at once.  A frame behind a gap waits for what is missing, until more than
 * ORDER_BYTES or ORDER_FRAMES wait; then the gap is given up, and what comes for it later is counted as late.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/sample_decode.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"

#define ORDER_BYTES  ((size_t)8 << 20) /* more than a thousand frames of an image */
#define ORDER_FRAMES 2048u
#define ORDER_GAPS   64u               /* gaps that are remembered, to tell what came late from what came twice */

/* Samples of one frame whose numbers follow one another; valid while they are given. */
struct sample_stretch {
    uint64_t first;        /* number of the first */
    uint32_t count;        /* above 0 */
    bool follows;          /* sample first - 1 was given before it */
    const uint16_t *place; /* index, or SAMPLE_PLACES_MAX + position in full[] */
    const uint64_t *time;  /* clock units since start; NULL: not told */
    const bool *pair;      /* it makes a pair with the sample before it */
    const struct sample_location *full;
    /* bits from `bit` on: whether it is told if interrupts were off, and if so; NULL: of none */
    const uint8_t *told, *off;
    uint32_t bit;
};

typedef void sample_order_giver(void *context, const struct sample_stretch *stretch);

struct sample_order;

/*
 * `expects_marks`: each frame is followed by one that tells of its samples whether interrupts were off, and waits for
 * it.  Never NULL.  `give` may not call the functions below.
 */
struct sample_order *sample_order_new(bool expects_marks, sample_order_giver *give, void *context);
void sample_order_free(struct sample_order *o);

/* A frame that was decoded; count above 0. */
void sample_order_add(struct sample_order *o, const struct sample_batch *b);

/* A MASKED_SAMPLES frame.  False if it is not valid. */
bool sample_order_mark(struct sample_order *o, const struct wire_masked_samples *head);

/* No frame follows: give what waits. */
void sample_order_end(struct sample_order *o);

/* Samples that had been given before, and those that came after their gap was given up. */
uint64_t sample_order_twice(const struct sample_order *o);
uint64_t sample_order_late(const struct sample_order *o);

static inline bool stretch_bit(const uint8_t *bits, uint32_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}
