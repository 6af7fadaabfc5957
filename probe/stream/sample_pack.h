/* SPDX-License-Identifier: MIT */
/*
 * The coder of PACKED_SAMPLES (docs/PROTOCOL.md, "Packed samples").  `codes`: the widths of 14 classes of
 * indexes in four bits each, and the form of the steps in a byte; for each sample its class in four bits;
 * what the class leaves open of the indexes; the places in full.  Each frame has classes of its own, about
 * equally likely, so that four bits tell as much as they can and no code depends on another frame.
 *
 * This is the sender's half; probe/stream/sample_unpack.h is the receiver's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/dictionary.h"

#ifndef SAMPLE_FRAME_MAX
#define SAMPLE_FRAME_MAX 1024u /* samples in one frame */
#endif

/* Classes of samples: an index of the first class is below 2^(its width), and so on upwards. */
#define PACK_CLASSES   14u
#define PACK_WIDTH_MAX 13u
#define PACK_AGAIN     14u /* the place of the sample before */
#define PACK_FULL      15u /* a place in full */
/* Bytes before the classes of samples: widths, and the form of the steps. */
#define PACK_HEAD      (PACK_CLASSES / 2 + 1)
/* A byte of steps as runs: the number of samples without a step, times 4, and the step of the sample after them. */
#define PACK_RUN_MAX   63u

#define PACK_NO_INDEX UINT16_MAX /* among indexes: the place stands in full */

/* The step of a sample in two bits. */
enum sample_step { SAMPLE_STEP_FAR, SAMPLE_STEP_NONE, SAMPLE_STEP_UP, SAMPLE_STEP_DOWN };

/* Bytes of the step bits of so many samples: two bits each, none for the first. */
static inline uint32_t sample_step_bytes(uint32_t count)
{
    return count == 0 ? 0 : (count + 2) / 4;
}

/* What the sender needs for a frame besides its samples; memory of the caller. */
struct sample_classes {
    uint8_t width[PACK_CLASSES];
    uint16_t base[PACK_CLASSES];            /* first index of each */
    uint16_t below[DICTIONARY_MAX + 1];     /* samples whose index is below this one, in this frame */
    uint8_t of[DICTIONARY_MAX];             /* the class of an index */
};

/* Most bits of an index after the index (or PACK_NO_INDEX) before it, without those of a place in full. */
uint32_t sample_pack_bits(uint16_t index, uint16_t before);

/*
 * Write the widths, the form of the steps (0), and the indexes of `count` samples, at least 1.  Returns the
 * bytes: at most PACK_HEAD + 2 and the sum of sample_pack_bits().  Task context.
 */
uint32_t sample_pack_places(struct sample_classes *c, const uint16_t *index, uint32_t count, uint8_t *to);

/*
 * Write steps, of which `bits` has two bits for each sample but the first and `far` the far ones, as runs.
 * `most` is what two bits a sample take.  Returns the bytes; UINT32_MAX if these would not be fewer.  Task context.
 */
uint32_t sample_pack_runs(const uint8_t *bits, const uint8_t *far, uint32_t count, uint8_t *to, uint32_t most);
