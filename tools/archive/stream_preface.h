/* SPDX-License-Identifier: MIT */
/*
 * Keeps what a part of a stream needs in front of it to be read alone: who sends (HELLO), its programs, its names
 * and health, what the indexes of raw samples and events mean, and the last whole snapshots, to which deltas
 * refer.  The frames are those that came, with new numbers, so that the first frame behind them follows without a
 * gap.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

#define PREFACE_MOST (4u << 20) /* bytes of frames that are kept; the dictionaries of an epoch take a tenth of it */

struct preface_frame {
    uint8_t type;
    uint64_t epoch;
    uint64_t serial; /* of a part of a snapshot; else 0 */
    size_t length;
    uint8_t *fields; /* NULL: the frame was dropped */
};

struct stream_preface {
    struct preface_frame *frame;
    size_t slots;         /* in use, those of dropped frames among them */
    size_t frames, bytes; /* that are kept */
    struct index frame_of; /* by what a later frame has in common with it where it takes its place */
    uint64_t part_epoch, part_serial; /* of the part of a snapshot that came last */
    uint64_t epoch[2];  /* whose HELLO came last, and before: two sources send in turns */
    uint64_t left_out;  /* frames that had no room */
    uint16_t next;      /* sequence number after the last frame that came */
};

/* All zeros at first.  Take an event of the stream: keep its frame if it belongs to the preface. */
void preface_add_event(struct stream_preface *p, const struct stream_event *event);

/* A record as the frame that came, with its zeros; the bytes of it. */
size_t preface_encode(const struct wire_reader *record, uint8_t out[WIRE_FRAME_MAX]);

/* Hand over the frames, encoded, one after the other; false as soon as `write` returns false. */
bool preface_write(const struct stream_preface *p, bool (*write)(void *context, const uint8_t *bytes, size_t length),
                   void *context);

void preface_free(struct stream_preface *p);

/* Give `m`, which the caller has initialised, the records of the preface. */
void preface_fill_model(const struct stream_preface *p, struct model *m);
