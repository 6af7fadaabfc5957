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

/* A frame whose number is lower by at most this may have come before. */
#define DECODER_RECENT 64

/*
 * Seconds without a byte after which any number of frames may be missing: a line of 115200 bit/s carries 65536 of the
 * smallest frames, of 10 bytes, in 57.  An image that runs sends each ten seconds at least.
 */
#define DECODER_SILENCE 60

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
    uint64_t repeated;         /* frames that came shortly before */
    /* of the missing frames those with a number of their own, by type; frames is not used */
    struct wire_sent lost;
    /* places where a number of frames is missing that is not known: more than the sequence tells */
    uint64_t unsure;
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
    /* frames missing before this one: at least, if `unsure`; of SENT, since the one before */
    uint64_t skipped;
    bool unsure;             /* how many are missing is not known */
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
    bool sequenced; /* `next` is known, modulo 65536 */
    bool counted;   /* `next` is more than that: counted since the epoch's first frame or the last SENT */
    bool ended;     /* the last frame was an END: the next is of another run */
    bool broken;    /* bytes may be missing behind the last frame, for any time */
    uint64_t next;  /* number in its epoch of the frame that is expected */
    uint64_t unsure; /* places since then of which the next SENT tells how many frames are missing */
    bool live; /* a record came that no file of a recording begins with, as it does with snapshots of before */
    /* of the last snapshot since then of each source, 0: none; what was lost until it came */
    uint64_t serial[2], losses[2];
    /* the last numbers of records that have their own, or UINT64_MAX, not known; frames is not used */
    struct wire_sent seen;
    /* checksums of the last frames, by their number: a frame that comes again has its own */
    uint32_t recent[DECODER_RECENT];
    uint64_t epoch, minor; /* of the last HELLO */
    bool failed; /* the reader's: it could not be opened or read to its end; a message was printed */
};

/* Begin at the start of a stream. */
void decoder_init(struct frame_decoder *s);

/*
 * Take the bytes up to the end of the first stretch, or all of them.  Returns how many were taken,
 * at most `length`.  The event describes the stretch that ended, STREAM_NOTHING if none did.
 */
size_t decoder_feed(struct frame_decoder *s, const uint8_t *bytes, size_t length,
                    struct stream_event *event);

/*
 * The line was away, or silent for long: any number of frames may be missing here, until a SENT tells how many are.
 */
void decoder_note_break(struct frame_decoder *s);

/* So many seconds passed before the next byte: the same if they are more than DECODER_SILENCE. */
void decoder_note_silence(struct frame_decoder *s, double seconds);

/* The stream has ended: the bytes after the last zero are a frame or damage. */
void decoder_finish(struct frame_decoder *s, struct stream_event *event);

/* Stretches of damage, all causes. */
uint64_t decoder_damaged(const struct stream_stats *stats);

/* "checksum" and so on. */
const char *damage_name(enum damage damage);
