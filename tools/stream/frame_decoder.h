/* SPDX-License-Identifier: MIT */
/*
 * The decoder of the serial stream: bytes go in, at most one event comes out
 * (docs/PROTOCOL.md, "Framing").  No I/O and no memory of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"

enum stream_state {
    STREAM_PREAMBLE, /* no frame yet, or none since an END: firmware may print */
    STREAM_FRAMES,   /* synchronised: damage is reported */
    STREAM_RESYNC,   /* damage was seen; the next intact frame ends this */
    STREAM_REFUSED,  /* a HELLO of another major version: everything else is ignored */
};

enum damage {
    DAMAGE_SHORT,
    DAMAGE_STUFFING,
    DAMAGE_CHECKSUM,
    DAMAGE_FIELDS, /* the checksum is right but the fields are invalid */
    DAMAGE_LONG,   /* longer than any frame */
    DAMAGES
};

struct stream_stats {
    uint64_t bytes;            /* all of them */
    uint64_t preamble;         /* bytes outside frames, before the first frame of a run */
    uint64_t damaged_bytes;    /* bytes outside frames, after it */
    uint64_t damaged[DAMAGES]; /* stretches between zeros that are not frames */
    uint64_t frames;           /* intact, of a known type */
    uint64_t of_type[256];     /* intact, by type, unknown ones too */
    uint64_t unknown;          /* intact, of an unknown type: skipped */
    uint64_t gaps, missing;    /* jumps in the sequence, and the frames that they skip */
    uint64_t repeated;         /* frames whose number came shortly before */
};

enum stream_kind {
    STREAM_NOTHING,
    STREAM_RECORD,  /* an intact frame with valid fields */
    STREAM_UNKNOWN, /* an intact frame of an unknown type */
    STREAM_NOISE,   /* bytes outside frames, in the preamble */
    STREAM_DAMAGED, /* bytes outside frames, after it */
    STREAM_VERSION, /* a HELLO of a major version that this decoder does not know */
};

struct stream_event {
    enum stream_kind kind;
    struct wire_reader reader; /* of a frame; its bytes are valid until the next bytes are taken */
    enum damage damage;
    uint64_t offset, length; /* where in the stream, zeros not counted */
    uint64_t skipped;        /* frames missing just before this one */
    uint64_t major;          /* STREAM_VERSION: its major version */
};

struct frame_decoder {
    enum stream_state state;
    struct stream_stats stats;
    bool looks_like_text; /* the printed table came before any frame */
    unsigned text_matched;
    uint8_t first[4]; /* the first bytes of the stream, by which other kinds of file are recognised */
    uint64_t run; /* bytes since the last zero */
    uint8_t bytes[WIRE_FRAME_MAX];
    bool sequenced; /* `next` is known */
    bool ended;     /* the last frame was an END: the next is of another run */
    uint16_t next;
    uint64_t epoch, minor; /* of the last HELLO */
};

/* Begin at the start of a stream. */
void decoder_init(struct frame_decoder *s);

/*
 * Take the bytes up to the end of the first stretch, or all of them.  Returns how many were taken,
 * at most `length`.  The event describes the stretch that ended, STREAM_NOTHING if none did.
 */
size_t decoder_feed(struct frame_decoder *s, const uint8_t *bytes, size_t length,
                    struct stream_event *event);

/* The stream has ended: the bytes after the last zero are a frame or damage. */
void decoder_finish(struct frame_decoder *s, struct stream_event *event);

/* Stretches of damage, all causes. */
uint64_t decoder_damaged(const struct stream_stats *stats);

/* "checksum" and so on. */
const char *damage_name(enum damage damage);
