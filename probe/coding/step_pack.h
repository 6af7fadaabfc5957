/* SPDX-License-Identifier: MIT */
/*
 * Steps of time in few bytes (docs/PROTOCOL.md, "Packed steps"): as numbers, or, where that takes fewer, those that
 * come again by the index of the first of them (probe/coding/index_pack.h).
 * Used for events and for classes of states.
 *
 * This is the sender's half; probe/coding/step_unpack.h is the receiver's.  Task context, all of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/index_pack.h"
#include "probe/coding/leb128.h"

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
