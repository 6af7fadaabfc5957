/* SPDX-License-Identifier: MIT */
/* Reads a recorded stream as a whole, from a file or from standard input; judges what is lost of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "probe/text/text_buf.h"
#include "tools/base/option_rows.h"
#include "tools/stream/frame_decoder.h"

/* The one FILE of a command line; the input begins with its `const char *`. */
extern const struct argument_row stream_argument;
#define STREAM_MISSING "FILE is missing; '-' is standard input"
#define STREAM_MANY    "only one stream can be read: '%s' is one too many"

/*
 * Decode the file at `path` ("-": standard input) from start to end and pass each event to `take`.
 * A reading of more than a second shows its progress on a terminal.
 * `s->failed`, with a message on standard error, if it cannot be read; earlier events have been passed.
 */
void stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context);

/* The same without progress, for a `take` that prints. */
void stream_decode_quietly(const char *path, struct frame_decoder *s,
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
void stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text);

/* True, with a message, if a stream cannot be reported: nothing was read, no intact frame, or another version. */
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
