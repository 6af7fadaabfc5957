/* SPDX-License-Identifier: MIT */
/* Reads a stream event by event: bytes of a file through the frame decoder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/stream/arrival_times.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/progress.h"

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
