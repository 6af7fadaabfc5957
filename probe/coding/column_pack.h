/* SPDX-License-Identifier: MIT */
/*
 * Packs columns of a frame, the sender's half: indexes, steps of time, bits.
 *
 * Indexes in few bits (docs/PROTOCOL.md, "Packed indexes"): the widths of 14 classes of indexes in four bits each,
 * and a byte for the caller; for each index its class in four bits; what the class leaves open of each.  Each frame
 * has classes of its own, about equally likely, so that four bits tell as much as they can and no code depends on
 * another frame.  Used for the places of samples and for the keys and times of events.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/dictionary.h"
#include "probe/coding/leb128.h"

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

/*
 * Steps of time in few bytes (docs/PROTOCOL.md, "Packed steps"): as numbers, or, where that takes fewer, those that
 * come again by the index of the first of them.  Used for events and for classes of states.  Task context, all of it.
 */

#ifndef STEP_FRAME_MAX /* a sender may have fewer than a receiver takes */
#define STEP_FRAME_MAX 1024u /* steps in one frame; a power of two */
#endif
#define STEP_BYTES_MOST (1 + LEB128_MOST)
#define STEP_SLOTS     (2 * STEP_FRAME_MAX) /* of the hash table */
/* Most bytes that the steps of a frame take, as indexes, without those in full. */
#define STEP_LIST_ROOM (PACK_HEAD + 2 + STEP_FRAME_MAX * (4 + PACK_WIDTH_MAX) / 8)

/* The two forms. */
enum step_form { STEP_NUMBERS, STEP_INDEXES, STEP_FORMS };

/* The steps of a frame so far; memory of the caller, 18 KB. */
struct step_list {
    uint32_t count, given;           /* steps; of these, such as have an index of their own */
    /* most bits of the indexes; bytes of those without one; bytes of all as numbers */
    uint32_t bits, fulls, numbers;
    int64_t step[STEP_FRAME_MAX];
    uint16_t index[STEP_FRAME_MAX]; /* PACK_NO_INDEX: it is the first of its kind */
    uint16_t first[STEP_FRAME_MAX]; /* by index: which step has it */
    uint16_t slot[STEP_SLOTS]; /* of a hash table: an index, from 1 */
};

void step_list_begin(struct step_list *s);

/* Add a step, whose size is below 2^63; at most STEP_FRAME_MAX. */
void step_list_put(struct step_list *s, int64_t step);

/* The bytes that step_list_write() needs at most. */
uint32_t step_list_most(const struct step_list *s);

/*
 * Write them, of which there is at least one, and which form they have, enum step_form.  Returns the bytes.  `to`
 * has room for STEP_LIST_ROOM more than step_list_most().
 */
uint32_t step_list_write(const struct step_list *s, struct index_classes *c, uint8_t *to, uint8_t *form);

/* Times as steps of a unit, for senders.  Any context; no division of 64 bits, which 32-bit targets lack. */

/* The number of units nearest to `difference`; the unit is 1 to 2^62 - 1. */
int64_t unit_steps(int64_t difference, uint64_t unit);

/* Bits into bytes, low bits first.  The caller owns the bytes and has room for them.  Any context. */

/* All zero but `at` to begin. */
struct bit_writer {
    uint8_t *at;      /* where the next whole byte goes */
    uint32_t bits;    /* not written yet */
    unsigned pending; /* how many, 0 .. 7 between two calls */
};

/* Append the low `length` bits of `value`, which has no others; at most 24. */
static inline void bit_writer_put(struct bit_writer *w, uint32_t value, unsigned length)
{
    w->bits |= value << w->pending;
    for (w->pending += length; w->pending >= 8; w->pending -= 8) {
        *w->at++ = (uint8_t)w->bits;
        w->bits >>= 8;
    }
}

/* Fill the last byte with zeros, and begin a new one. */
static inline void bit_writer_align(struct bit_writer *w)
{
    if (w->pending != 0)
        *w->at++ = (uint8_t)w->bits;
    w->bits = w->pending = 0;
}
