/* SPDX-License-Identifier: MIT */
/*
 * Reads a recorded stream, from a file or from standard input, through the decoder: event by event or as a whole;
 * judges what is lost of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/text/text_buf.h"
#include "tools/base/option_rows.h"
#include "tools/stream/arrival_times.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/progress.h"

/* A stream that its reader takes event by event: bytes of a file through the frame decoder. */
struct stream_source {
    const char *path; /* the caller's, for messages */
    int file;         /* below 0: it could not be opened */
    struct frame_decoder *decoder; /* the caller's */
    uint8_t bytes[1 << 16];
    size_t at, got;   /* bytes taken by the decoder, and bytes read */
    bool follows;     /* the caller's, after the begin: at the end of the file wait for more, until a signal comes */
    bool ended;       /* the decoder was told that nothing follows */
    struct arrival_reader arrivals; /* of the file beside it, if there is one */
    uint64_t break_at;   /* where the port was away, or silent, the next time; UINT64_MAX: not any more */
    struct read_progress progress; /* shown only if stream_source_show_progress() was called */
    bool failed;      /* it could not be opened or read: a message was printed */
};

/*
 * Begin to read the file at `path`, "-": standard input.  Where the times of arrival beside it tell that the port was
 * away or silent for long, the decoder is told.  False, with a message, if it cannot be
 * opened.
 */
bool stream_source_open(struct stream_source *s, const char *path, struct frame_decoder *decoder);

/* The same of an open file, which stream_source_close() closes too, unless it is standard input. */
void stream_source_begin(struct stream_source *s, const char *path, int file, struct frame_decoder *decoder);

/*
 * Show how far a long reading is, on a terminal, until the end of the file or stream_source_close().
 * After the begin; not for commands that print while they read.
 */
void stream_source_show_progress(struct stream_source *s);

/*
 * The next event; its bytes are valid until the next call.  False at the end of the file.  A refused
 * version and a failed read give a message.
 */
bool stream_source_next(struct stream_source *s, struct stream_event *event);

/*
 * Its parts: read more bytes, false at the end of the file; take an event from these bytes, false
 * if they hold no more; after the end of the file, the event of what stands behind the last zero.
 */
bool stream_source_fill(struct stream_source *s);
bool stream_source_take(struct stream_source *s, struct stream_event *event);
bool stream_source_finish(struct stream_source *s, struct stream_event *event);

void stream_source_close(struct stream_source *s);

/* ---- a recorded stream as a whole ---- */

/* The one FILE of a command line; the input begins with its `const char *`. */
extern const struct argument_row stream_argument;
#define STREAM_MISSING "FILE is missing; '-' is standard input"
#define STREAM_MANY    "only one stream can be read: '%s' is one too many"

/*
 * Decode the file at `path` ("-": standard input) from start to end and pass each event to `take`.
 * A reading of more than a second shows its progress on a terminal.
 * False, with a message on standard error, if it cannot be read; earlier events have been passed.
 */
bool stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context);

/* The same without progress, for a `take` that prints. */
bool stream_decode_quietly(const char *path, struct frame_decoder *s,
                           void (*take)(void *context, const struct stream_event *event),
                           void *context);

/*
 * The contents of a file before its first frame: perhaps a text that the image printed.  The caller
 * frees `bytes`.
 */
struct plain_text {
    char *bytes; /* NULL: none, or too many */
    size_t length, room;
    bool over; /* a frame came, or the text is too long */
};

/* The same, which also keeps the bytes of a stream without any frame in `text`. */
bool stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text);

/* True, with a message, if a stream cannot be reported: it has no intact frame, or another version. */
bool stream_has_no_frames(const char *path, const struct frame_decoder *s);

/*
 * Judges by the decoder's counters whether all that was sent arrived and could be read: one verdict for all commands.
 */

/* Whether nothing is damaged, missing or repeated, and every frame is of a type that this version knows. */
bool stream_is_whole(const struct stream_stats *stats);

/* Append how many of the missing frames are TEXT, FAULT, REPORT and OUTPUT, whose numbers tell it; false: none. */
bool stream_lost_put(struct text_buf *b, const struct stream_stats *stats);

/*
 * Print on standard error how many frames of unknown types the stream at `path` has, if any: when it has been read,
 * before anything else is said of it, because what is not found may be in these.
 */
void stream_unknown_print(const char *path, const struct stream_stats *stats);

/* Print what else is lost of it, a sentence a kind; true: it is not whole. */
bool stream_loss_print(const char *path, const struct stream_stats *stats);
