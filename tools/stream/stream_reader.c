/* SPDX-License-Identifier: MIT */
/*
 * Reading a recorded stream, and the sentences for what is none.
 */
#include "tools/stream/stream_reader.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/cli.h"

error_t input_parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one stream at a time: '%s' is too much", text);
        *(const char **)state->input = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which FILE? '-' is standard input");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void refuse_version(const char *path, uint64_t major)
{
    complain("%s speaks version %" PRIu64 " of the protocol; this tool knows %d", path, major,
             WIRE_MAJOR);
}

/* More than a line of 115200 baud carries in an hour is no text that anyone printed to read. */
#define TEXT_MAX ((size_t)64 << 20)

static void keep_text(struct input_text *text, const struct stream *s, const uint8_t *bytes,
                      size_t length)
{
    if (text->over)
        return;
    if (s->stats.frames || length > TEXT_MAX - text->length) {
        free(text->bytes);
        *text = (struct input_text){.over = true};
        return;
    }
    if (text->room < text->length + length) {
        text->room = 2 * (text->length + length);
        text->bytes = need(text->bytes, text->room, 1);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

bool input_decode_text(const char *path, struct stream *s,
                       void (*take)(void *context, const struct stream_event *event),
                       void *context, struct input_text *text)
{
    int file = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    static uint8_t bytes[1 << 16];
    struct stream_event event;
    ssize_t got = file;

    stream_init(s);
    while (got >= 0 && (got = read(file, bytes, sizeof(bytes))) != 0) {
        for (ssize_t i = 0; i < got;) {
            i += (ssize_t)stream_feed(s, bytes + i, (size_t)(got - i), &event);
            if (event.kind == STREAM_VERSION)
                refuse_version(path, event.major);
            if (event.kind != STREAM_NOTHING)
                take(context, &event);
        }
        if (text)
            keep_text(text, s, bytes, (size_t)got);
    }
    if (got < 0)
        complain("%s: %s", path, strerror(errno));
    stream_finish(s, &event);
    if (event.kind == STREAM_VERSION)
        refuse_version(path, event.major);
    if (event.kind != STREAM_NOTHING)
        take(context, &event);
    if (file > STDIN_FILENO)
        close(file);
    return got >= 0;
}

bool input_decode(const char *path, struct stream *s,
                  void (*take)(void *context, const struct stream_event *event),
                  void *context)
{
    return input_decode_text(path, s, take, context, NULL);
}

bool input_is_void(const char *path, const struct stream *s)
{
    if (s->state == STREAM_REFUSED)
        return true; /* told when it was met */
    if (s->stats.frames)
        return false;
    if (!s->stats.bytes)
        complain("%s is empty", path);
    else if (!memcmp(s->first, ELFMAG, SELFMAG))
        complain("%s is a program (ELF), not a stream of the image", path);
    else if (s->looks_like_text)
        complain("%s holds the printed table, not frames: it looks like output=text; "
                 "boot the image with output=frames",
                 path);
    else
        complain("%s: no cpuprobe frame in %" PRIu64 " bytes; this is no stream of the image",
                 path, s->stats.bytes);
    return true;
}
