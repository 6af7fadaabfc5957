/* SPDX-License-Identifier: MIT */
/*
 * Classes of states as frames: STATES, or PACKED_STATES where that takes fewer bytes (probe/stream/wire.h).  This is
 * the sender; probe/stream/class_decode.h is the receiver, class_code.h says how runs become bytes.
 *
 * Each run begins where the one before ended.  Every frame can be decoded alone: it begins with the time of
 * its first run, in full.  Lengths are in units of the frame's `unit`, taken to the time that the decoder
 * has, so that errors of rounding do not add up.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/coding/column_pack.h"
#include "probe/stream/wire.h"
#include "probe/trace/class_runs.h"

/*
 * Classes of states as bytes, for the sender (probe/stream/class_encode.h) and the receiver
 * (probe/stream/class_decode.h).  A run is a stretch in one class, with one attribute.
 *
 * The code of a run is a byte, and what this byte says that follows, in this order:
 *
 *     bits 6-7  the kind of the run: 0 to 2, its place in the list of kinds that followed the class of
 *               the run before, the last one first; 3: a byte with the kind follows
 *     bit 5     the length does not fit: its upper part follows, a LEB128
 *     bits 0-4  the low bits of the length
 *
 * A kind is the class (bits 0-5), and in bits 6-7: 0, the run has no attribute; 1, it has that of the last
 * run that had one; 2, its attribute follows.  The byte 0xc0 before it: the length is negative; such a kind
 * is not put into a list.  An attribute is a byte N: that number N of this frame, from 1; or 0 and a LEB128,
 * the next number.
 *
 * Lists and numbers begin empty in each frame, so that a frame needs no other.
 */

#define CLASS_CODE_LENGTH_BITS 5
#define CLASS_CODE_MORE        0x20 /* the upper part of the length follows */
#define CLASS_CODE_PLACE       6    /* shift of the place */
#define CLASS_CODE_PLACES      3    /* of a list; this place: the kind follows */
#define CLASS_KIND_CODE        0x3f
#define CLASS_KIND_SAME        0x40
#define CLASS_KIND_ATTRIBUTE   0x80
#define CLASS_KIND_BACK        0xc0 /* a byte of its own */
#define CLASS_KIND_NONE        0xff
#define CLASS_ATTRIBUTES       255 /* that have numbers */

#define CLASS_FRAME_MAX 1024u /* runs in one frame */

/* What both ends know of a frame so far. */
struct class_code {
    uint8_t followed[CLASS_SENT + 1][CLASS_CODE_PLACES]; /* kinds by the class before; the last row: none was */
    uint8_t before;                                      /* class of the last run; CLASS_SENT: there was none */
    uint32_t attributes;
    uint64_t attribute[CLASS_ATTRIBUTES];
    uint64_t last;                                       /* of the last run that had one; 0: none had */
};

/* A frame begins. */
void class_code_begin(struct class_code *c);

/* The place of a kind in the list of now; CLASS_CODE_PLACES: it is not in it. */
unsigned class_code_place(const struct class_code *c, uint8_t kind);

/* A run of this kind was coded: the list of its class is the next, and if `listed` it is the first of its own. */
void class_code_note(struct class_code *c, uint8_t kind, bool listed);

/* The number of an attribute, from 1; 0: it is new, and has one from now on, if there are any left. */
unsigned class_code_attribute(struct class_code *c, uint64_t attribute);

/* It is the last one from now on; a receiver tells whether it is new. */
void class_code_set_attribute(struct class_code *c, uint64_t attribute, bool new);

/* Most bytes of codes in a frame: the fields before them take at most 72. */
#define CLASS_CODES_MAX (WIRE_CODES_MAX - 72)

struct class_encoder_request {
    uint64_t epoch;
    uint64_t unit; /* clock units in a unit of the lengths, 1 to 2^62 - 1 */
    /* Sends a finished frame; may wait.  Task context. */
    void (*send)(void *context, struct wire_writer *frame);
    void *context;
};

/* The unfinished frame; memory of the caller, 54 KB, without pointers to more. */
struct class_encoder {
    struct class_encoder_request request;
    uint64_t number;          /* of the next run */
    uint64_t lost, lost_time; /* as class_encoder_lost() was told */
    uint64_t time;            /* the end of the last run, as the decoder has it */
    struct class_code known;
    struct wire_states head;  /* of the unfinished frame; head.count is 0 if there is none */
    uint32_t codes, kinds;    /* bytes used in code[] and in kind[] */
    uint8_t code[CLASS_CODES_MAX]; /* as STATES has them */
    uint8_t kind[CLASS_CODES_MAX], place[CLASS_FRAME_MAX / 4]; /* as PACKED_STATES has them */
    struct step_list lengths;
    struct index_classes classes;
    uint8_t packed[CLASS_CODES_MAX + STEP_LIST_ROOM];
    struct wire_writer frame;
};

/* Begin an epoch.  Task context, as all of the sender. */
void class_encoder_begin(struct class_encoder *s, const struct class_encoder_request *request);

/* Take the next run, which begins where the last one ended. */
void class_encoder_put(struct class_encoder *s, const struct class_stretch *run);

/* So many events found no room so far, the first of them at `time`. */
void class_encoder_lost(struct class_encoder *s, uint64_t lost, uint64_t time);

/* Send the unfinished frame; call it now and then, so that data arrive soon. */
void class_encoder_flush(struct class_encoder *s);

/* The epoch is over at `end`: send the rest, and a frame without runs that tells how many there were. */
void class_encoder_end(struct class_encoder *s, uint64_t end);
