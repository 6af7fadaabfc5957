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

#include "probe/coding/step_pack.h"
#include "probe/stream/class_code.h"
#include "probe/stream/wire.h"

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
