/* SPDX-License-Identifier: MIT */
/*
 * Indexes in few bits (docs/PROTOCOL.md, "Packed indexes"): the widths of 14 classes of indexes in four bits each,
 * and a byte for the caller; for each index its class in four bits; what the class leaves open of each.  Each frame
 * has classes of its own, about equally likely, so that four bits tell as much as they can and no code depends on
 * another frame.  Used for the places of samples and for the keys and times of events.
 *
 * This is the sender's half; probe/coding/index_unpack.h is the receiver's.
 */
#pragma once

#include <stdint.h>

#include "probe/coding/dictionary.h"

/* Classes: an index of the first one is below 2^(its width), and so on upwards. */
#define PACK_CLASSES   14u
#define PACK_WIDTH_MAX 13u
#define PACK_AGAIN     14u /* the index before */
#define PACK_FULL      15u /* what has no index stands in full, behind the indexes */
/* Bytes before the classes of indexes: widths, and the caller's byte. */
#define PACK_HEAD      (PACK_CLASSES / 2 + 1)

#define PACK_NO_INDEX UINT16_MAX /* among indexes: it stands in full */

/* What the sender needs for a frame besides its indexes; memory of the caller. */
struct index_classes {
    uint8_t width[PACK_CLASSES];
    uint16_t base[PACK_CLASSES];            /* first index of each */
    uint16_t below[DICTIONARY_MAX + 1];     /* indexes of this frame that are below this one */
    uint8_t of[DICTIONARY_MAX];             /* the class of an index */
};

/* Most bits of an index after the index (or PACK_NO_INDEX) before it, without those of what stands in full. */
uint32_t index_pack_bits(uint16_t index, uint16_t before);

/*
 * Write the widths, the caller's byte (0), and `count` indexes, at least 1, each below DICTIONARY_MAX or
 * PACK_NO_INDEX.  Returns the bytes: at most PACK_HEAD + 2 and the sum of index_pack_bits().  Task context.
 */
uint32_t index_pack(struct index_classes *c, const uint16_t *index, uint32_t count, uint8_t *to);
