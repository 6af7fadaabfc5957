/* SPDX-License-Identifier: MIT */
/* Writes frames to the file of the stream, and counts them. */
#include "tools/hwmon/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/sent_count.h"

bool stream_open(struct stream *s, const char *path)
{
    *s = (struct stream){ .file = fopen(path, "wb"), .path = path };
    if (s->file == NULL)
        fprintf(stderr, "hwmon: %s: %s\n", path, strerror(errno));
    return s->file != NULL;
}

void stream_send(struct stream *s, struct wire_writer *frame)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    const size_t length = wire_end(frame, sent_count(&s->sent, frame), bytes);

    if (length == 0)
        abort();
    if (fwrite(bytes, 1, length, s->file) == length || s->failed)
        return;
    s->failed = true;
    fprintf(stderr, "hwmon: %s: %s: the stream is not complete\n", s->path, strerror(errno));
}

void stream_send_head(struct stream *s, enum wire_type type, const void *head)
{
    struct wire_writer frame;

    wire_begin(&frame, type, head);
    stream_send(s, &frame);
}

void stream_send_counts(struct stream *s, uint64_t epoch)
{
    s->sent.epoch = epoch;
    stream_send_head(s, WIRE_SENT, &s->sent);
}
