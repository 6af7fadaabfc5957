/* SPDX-License-Identifier: MIT */
/*
 * A recorded stream, from a file or from standard input, through the decoder.
 */
#pragma once

#include <stdbool.h>

#include "tools/base/option_rows.h"
#include "tools/stream/frame_decoder.h"

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
