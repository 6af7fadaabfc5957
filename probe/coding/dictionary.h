/* SPDX-License-Identifier: MIT */
/*
 * A stable dictionary: what is sent again and again gets a short index, which never changes its
 * meaning within an epoch.  Raw samples (probe/stream/sample_encode.h) and events
 * (probe/stream/event_encode.h) have one each.
 *
 * A key that is seen a second time gets the next free index.  Definitions are sent as rows of a
 * record of their own, and repeated in turn, so that a lost frame costs little.
 *
 * Indexes and keys as bytes, as senders before 0.9 wrote them:  0x01..0xc0  index 0..191;  0xc1..0xfd
 * index 192 + ((byte - 0xc1) << 8 | next byte);  0xff  a key in full follows.  Zero and 0xfe are left for the caller.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifndef DICTIONARY_MAX /* a sender may have fewer than a receiver takes */
#define DICTIONARY_MAX   8192u  /* indexes; later keys are sent in full each time */
#define DICTIONARY_SLOTS 16384u /* size of the hash table; a power of two, at least twice as many */
#define DICTIONARY_SEEN  4096u  /* size of the filter of keys seen once; a power of two */
#endif
#define DICTIONARY_NONE  UINT32_MAX

#define DICTIONARY_SHORT 192u /* indexes of one byte */
#define DICTIONARY_LONG  0xc1 /* first byte of an index of two */
#define DICTIONARY_FULL  0xff /* a key in full follows */

struct dictionary_key {
    uint64_t value;
    uint32_t task;
    uint8_t kind;
};

/* All zero to begin; memory of the caller, 180 KB, without pointers to more. */
struct dictionary {
    struct dictionary_key key[DICTIONARY_MAX]; /* by index; found by slot[], which holds indexes + 1 */
    uint16_t slot[DICTIONARY_SLOTS];
    uint16_t seen[DICTIONARY_SEEN]; /* parts of the hashes of keys that have no index */
    uint32_t count, defined;        /* indexes given; of these, sent */
    uint32_t turn, credit;          /* next key to repeat; how many may be repeated */
};

/*
 * The index of a key, which it gets when it is seen a second time; DICTIONARY_NONE: send it in full.  Task context.
 */
uint32_t dictionary_index(struct dictionary *d, const struct dictionary_key *key);

/*
 * Give the definitions of one frame to put(context, index), which returns false where the frame is
 * full: new ones first, then as many repeated ones as the credit allows.  Task context.
 */
void dictionary_define(struct dictionary *d, bool (*put)(void *context, uint32_t index), void *context);

/* A frame of what uses the indexes was sent: so many more definitions may be repeated. */
void dictionary_credit_frame(struct dictionary *d);

/* Whether a frame of definitions is worth its head; whether new ones alone fill one. */
bool dictionary_frame_due(const struct dictionary *d);
bool dictionary_frame_full(const struct dictionary *d);

/* At the end: send every definition once more. */
void dictionary_repeat_all(struct dictionary *d);
