/* SPDX-License-Identifier: MIT */
/* Reads a file in pieces, and gives the decoder's events one by one. */
#include "tools/stream/stream_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/interrupt.h"

#define FOLLOW_MS 50 /* between two looks at a file that grows */

void stream_source_begin(struct stream_source *s, const char *path, int file, struct frame_decoder *decoder)
{
    s->path = path;
    s->file = file;
    s->decoder = decoder;
    s->at = s->got = 0;
    s->follows = s->ended = false;
    s->progress = (struct read_progress){.terminal = -1};
    s->arrivals.in = NULL;
    s->break_at = UINT64_MAX;
    s->failed = file < 0;
    decoder_init(s->decoder);
    if (s->failed)
        cli_error("%s: %s", path, strerror(errno));
}

static void find_break(struct stream_source *s)
{
    if (arrival_next_break(&s->arrivals, &s->break_at))
        return;
    s->break_at = UINT64_MAX;
    arrival_close(&s->arrivals);
}

bool stream_source_open(struct stream_source *s, const char *path, struct frame_decoder *decoder)
{
    stream_source_begin(s, path, strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO,
                        decoder);
    if (!s->failed && s->file != STDIN_FILENO && arrival_open(&s->arrivals, path))
        find_break(s);
    return !s->failed;
}

void stream_source_show_progress(struct stream_source *s)
{
    read_progress_begin(&s->progress, s->file);
}

void stream_source_close(struct stream_source *s)
{
    read_progress_end(&s->progress);
    if (s->file > STDIN_FILENO)
        close(s->file);
    s->file = -1;
    arrival_close(&s->arrivals);
}

static void warn_version(const struct stream_source *s, const struct stream_event *event)
{
    if (event->kind == STREAM_VERSION)
        cli_error("%s uses version %" PRIu64 " of the protocol; this tool supports %d", s->path, event->major,
                  WIRE_MAJOR);
}

/*
 * How many of the bytes that were read the decoder may take: up to the next break,
 * which it is told of when it is there.
 */
static size_t bytes_to_break(struct stream_source *s)
{
    const size_t rest = s->got - s->at;

    while (s->decoder->stats.bytes >= s->break_at) {
        decoder_note_break(s->decoder);
        find_break(s);
    }
    return s->break_at - s->decoder->stats.bytes < rest ? (size_t)(s->break_at - s->decoder->stats.bytes) : rest;
}

bool stream_source_take(struct stream_source *s, struct stream_event *event)
{
    while (s->at < s->got) {
        s->at += decoder_feed(s->decoder, s->bytes + s->at, bytes_to_break(s), event);
        warn_version(s, event);
        if (event->kind != STREAM_NOTHING)
            return true;
    }
    return false;
}

bool stream_source_fill(struct stream_source *s)
{
    const ssize_t got = s->failed ? 0 : read(s->file, s->bytes, sizeof(s->bytes));

    if (got < 0) {
        s->failed = true;
        cli_error("%s: %s", s->path, strerror(errno));
    }
    s->at = 0;
    s->got = got > 0 ? (size_t)got : 0;
    read_progress_add(&s->progress, s->got);
    if (!s->got)
        read_progress_end(&s->progress);
    return s->got > 0;
}

bool stream_source_finish(struct stream_source *s, struct stream_event *event)
{
    if (s->ended)
        return false;
    s->ended = true;
    arrival_close(&s->arrivals);
    decoder_finish(s->decoder, event);
    warn_version(s, event);
    return event->kind != STREAM_NOTHING;
}

/* A file that grows has no way to tell so.  False: a signal came. */
static bool wait_for_more(const struct stream_source *s)
{
    const struct timespec pause = {.tv_nsec = FOLLOW_MS * 1000000};

    if (!s->follows || s->failed || interrupted)
        return false;
    nanosleep(&pause, NULL);
    return !interrupted;
}

bool stream_source_next(struct stream_source *s, struct stream_event *event)
{
    do {
        if (stream_source_take(s, event))
            return true;
    } while (stream_source_fill(s) || wait_for_more(s));
    return stream_source_finish(s, event);
}
