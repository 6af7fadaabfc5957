/* SPDX-License-Identifier: MIT */
/*
 * A recorded stream, from a file or from standard input, through the decoder.
 */
#ifndef TOOLS_STREAM_STREAM_READER_H
#define TOOLS_STREAM_STREAM_READER_H

#include <argp.h>
#include <stdbool.h>

#include "tools/stream/frame_decoder.h"

/* argp's parser of the one FILE; state->input begins with its `const char *`. */
error_t parse_file_argument(int key, char *text, struct argp_state *state);

/*
 * Decode the file at `path` ("-": standard input) from its start to its end,
 * giving each event to `take`.  False, with a sentence on standard error, where
 * it cannot be read; what came before that has been given.
 */
bool stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context);

/*
 * The contents of a file before its first frame: a text that the image printed,
 * perhaps.  The caller frees `bytes`.
 */
struct plain_text {
    char *bytes; /* NULL: none, or too many */
    size_t length, room;
    bool over; /* a frame came, or more than any text has */
};

/* As stream_decode(), and keep the bytes of a stream without any frame in `text`. */
bool stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text);

/*
 * Print why a stream cannot be reported: it has no intact frame, or another
 * version: true, with a sentence.
 */
bool stream_has_no_frames(const char *path, const struct frame_decoder *s);

#endif
