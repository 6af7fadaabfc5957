/* SPDX-License-Identifier: MIT */
/* Reads a recorded stream; prints messages for files that are no stream, and for what of a stream is lost. */
#include "tools/stream/stream_reader.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/stream/stream_source.h"

bool stream_is_whole(const struct stream_stats *stats)
{
    return !decoder_damaged(stats) && !stats->missing && !stats->repeated && !stats->unsure && !stats->unknown;
}

/* One more of a list. */
static void put_count(struct text_buf *b, uint64_t count, const char *of)
{
    if (!count)
        return;
    buf_text(b, b->length ? ", " : "");
    buf_number(b, count);
    buf_parts(b, " ", of);
}

bool stream_lost_put(struct text_buf *b, const struct stream_stats *stats)
{
#define PUT(NAME, name, count) put_count(b, stats->lost.count, #NAME);
    WIRE_NUMBERED(PUT)
    return b->length != 0;
}

static void print_missing(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf lost = TEXT_BUF(text);

    if (stats->missing)
        cli_error("%s: %" PRIu64 " frames are missing, in %" PRIu64 " gaps of the sequence", path, stats->missing,
                  stats->gaps);
    if (stats->unsure)
        cli_error("%s: an unknown number of frames is missing at %" PRIu64
                  " places: more than the sequence tells by a multiple of 65536", path, stats->unsure);
    if (stream_lost_put(&lost, stats))
        cli_error("%s: these did not arrive: %s", path, text);
}

static void print_damage(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf causes = TEXT_BUF(text);

    for (unsigned i = 0; i < DAMAGES; i++)
        put_count(&causes, stats->damaged[i], damage_name(i));
    cli_error("%s: %" PRIu64 " damaged stretches, %" PRIu64 " bytes (%s)", path, decoder_damaged(stats),
              stats->damaged_bytes, text);
}

/* Types that only a later version knows, or none: by their numbers, as many as find room. */
void stream_unknown_print(const char *path, const struct stream_stats *stats)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf types = TEXT_BUF(text);

    if (!stats->unknown)
        return;
    for (unsigned type = 0; type < sizeof(stats->of_type) / sizeof(stats->of_type[0]); type++) {
        if (!stats->of_type[type] || wire_record(type))
            continue;
        buf_text(&types, types.length ? ", " : "");
        buf_number(&types, type);
    }
    cli_error("%s: %" PRIu64 " frames are of types that this version does not know (%s): what they hold is missing",
              path, stats->unknown, text);
}

bool stream_loss_print(const char *path, const struct stream_stats *stats)
{
    fflush(stdout);
    if (decoder_damaged(stats))
        print_damage(path, stats);
    print_missing(path, stats);
    if (stats->repeated)
        cli_error("%s: %" PRIu64 " frames were repeated, by their sequence", path, stats->repeated);
    return !stream_is_whole(stats);
}

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
static void decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context, struct plain_text *text, bool shows_progress)
{
    struct stream_source *source = xrealloc_array(NULL, 1, sizeof(*source));
    struct stream_event event;

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
    s->failed = source->failed;
    stream_source_close(source);
    free(source);
}

void stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context)
{
    decode(path, s, take, context, NULL, true);
}

void stream_decode_quietly(const char *path, struct frame_decoder *s,
                           void (*take)(void *context, const struct stream_event *event),
                           void *context)
{
    decode(path, s, take, context, NULL, false);
}

void stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text)
{
    decode(path, s, take, context, text, false);
}

bool stream_has_no_frames(const char *path, const struct frame_decoder *s)
{
    if (s->state == STREAM_REFUSED || (s->failed && !s->stats.bytes))
        return true; /* a message was printed when it was read */
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
