/* SPDX-License-Identifier: MIT */
/* Reads a recorded stream; prints messages for files that are no stream. */
#include "tools/stream/stream_reader.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/cli.h"
#include "tools/stream/stream_loss.h"
#include "tools/stream/stream_source.h"

const struct argument_row stream_argument = {
    .most = 1, .least = 1, .many = STREAM_MANY, .missing = STREAM_MISSING,
};

/* A longer file is not a text for people: it is more than 115200 baud carry in an hour. */
#define TEXT_MAX ((size_t)64 << 20)

static void keep_text(struct plain_text *text, const struct frame_decoder *s, const uint8_t *bytes,
                      size_t length)
{
    if (text->over)
        return;
    if (s->stats.frames || length > TEXT_MAX - text->length) {
        free(text->bytes);
        *text = (struct plain_text){.over = true};
        return;
    }
    if (text->room < text->length + length) {
        text->room = 2 * (text->length + length);
        text->bytes = xrealloc_array(text->bytes, text->room, 1);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

/* `text`: NULL, or for the bytes of a stream without frames. */
static bool decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context, struct plain_text *text, bool shows_progress)
{
    struct stream_source *source = xrealloc_array(NULL, 1, sizeof(*source));
    struct stream_event event;
    bool read_well;

    stream_source_open(source, path, s);
    if (shows_progress)
        stream_source_show_progress(source);
    while (stream_source_fill(source)) {
        while (stream_source_take(source, &event))
            take(context, &event);
        if (text)
            keep_text(text, s, source->bytes, source->got);
    }
    if (stream_source_finish(source, &event))
        take(context, &event);
    stream_unknown_print(path, &s->stats);
    read_well = !source->failed;
    stream_source_close(source);
    free(source);
    return read_well;
}

bool stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context)
{
    return decode(path, s, take, context, NULL, true);
}

bool stream_decode_quietly(const char *path, struct frame_decoder *s,
                           void (*take)(void *context, const struct stream_event *event),
                           void *context)
{
    return decode(path, s, take, context, NULL, false);
}

bool stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text)
{
    return decode(path, s, take, context, text, false);
}

bool stream_has_no_frames(const char *path, const struct frame_decoder *s)
{
    if (s->state == STREAM_REFUSED)
        return true; /* the message was printed when the version was read */
    if (s->stats.frames)
        return false;
    if (!s->stats.bytes)
        cli_error("%s is empty", path);
    else if (s->stats.unknown)
        return true; /* the message was printed when it had been read */
    else if (!memcmp(s->first, ELFMAG, SELFMAG))
        cli_error("%s is a program (ELF), not a stream of the image", path);
    else if (s->looks_like_text)
        cli_error("%s has printed tables instead of frames: it seems to be of output=text; boot the image with "
                  "output=frames",
                  path);
    else
        cli_error("%s: no cpuprobe frame in %" PRIu64 " bytes; this is not a stream of the image",
                  path, s->stats.bytes);
    return true;
}
